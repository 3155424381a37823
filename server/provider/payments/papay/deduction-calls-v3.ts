/** The calls of version 3 that announce, book and ask for deductions. */
import type { Order } from "../ledger/ledger.ts";
import type { Merchants } from "../merchants/merchants.ts";
import { checkBinding, type SubMerchant } from "../partner/sub-merchant.ts";
import { checkProduct } from "../v3/order-request-v3.ts";
import { readAs, readBodyV3 } from "../v3/requests-v3.ts";
import { checkMerchant, type PreparedCall, type RequestV3, type RouteV3 } from "../v3/route-v3.ts";
import {
  announceBody,
  applyBody,
  bySub,
  contractNumber,
  harmonyApplyBody,
  partnerAnnounceBody,
  partnerApplyBody,
  partnerFailNotifyBody,
  partnerScheduleBody,
  failNotifyBody,
  scheduleBody,
  type ApplyBody,
} from "./contract-requests-v3.ts";
import type { ContractRow } from "./contract-tables.ts";
import { scheduleV3 } from "./contract-views-v3.ts";
import type { Contracts } from "./contracts.ts";
import type { Deductions } from "./deductions.ts";

interface Deps {
  readonly contracts: Contracts;
  readonly deductions: Deductions;
  readonly merchants: Pick<Merchants, "get">;
  /** Ends what is due. */
  readonly settle: () => Promise<void>;
}

const schedules = "/v3/papay/pay/schedules/contract-id/{contract_id}";
const partnerSchedules = "/v3/papay/pay/partner/schedules/contract-id/{contract_id}";

/** Who acts: the app, and the sub-merchant of a service provider. */
interface Actor {
  readonly appId: string;
  readonly sub: SubMerchant | undefined;
}

const direct = ({ appid }: { readonly appid: string }): Actor => ({ appId: appid, sub: undefined });
const partner = (body: { readonly sp_appid: string } & SubMerchant): Actor => {
  const { sp_appid, sub_mchid, sub_appid } = body;
  return { appId: sp_appid, sub: { sub_mchid, ...(sub_appid !== undefined && { sub_appid }) } };
};

/** The contract that an actor names. @throws PaymentRefusal NOAUTH, APPID_MCHID_NOT_MATCH, CONTRACT_NOT_EXIST */
async function contractOf(deps: Deps, { merchant }: RequestV3, { appId, sub }: Actor, contractId: string) {
  checkProduct(merchant, appId, "PAP");
  if (sub) await checkBinding(deps.merchants, merchant, sub, "PAP");
  await deps.settle();
  return deps.contracts.get({ mchId: merchant.mchId, subMchId: sub?.sub_mchid ?? null, contractId });
}

const numberIn = ({ params }: RequestV3) => readAs(contractNumber, params, "uri_template").contract_id;

interface Application {
  readonly body: ApplyBody;
  readonly actor: Actor;
}

/** @param read the form of the request */
const apply = (path: string, read: (body: unknown) => Application, deps: Deps): RouteV3 => ({
  name: "pappayapply",
  method: "POST",
  path: `/v3/papay/pay/${path}transactions/apply`,
  prepare(request): PreparedCall<Order> {
    const { body, actor } = read(readBodyV3(request.body));
    const { contract_id, goods_tag } = body;
    return {
      outTradeNo: body.out_trade_no,
      async perform() {
        const contract = await contractOf(deps, request, actor, contract_id);
        return deps.deductions.ask(contract, {
          ...{ mchId: request.merchant.mchId, appId: actor.appId, outTradeNo: body.out_trade_no },
          ...{ version: "v3", signType: "MD5", description: body.description },
          ...{ total: body.amount.total, currency: body.amount.currency },
          ...{ notifyUrl: body.transaction_notify_url, notifyFrom: request.from, attach: body.attach || undefined },
          extra: {
            contract_id,
            ...(goods_tag !== undefined && { goods_tag }),
            ...(actor.sub && { sub_merchant: { ...actor.sub, sub_openid: contract.sub_openid ?? undefined } }),
          },
        });
      },
      view: ({ outTradeNo, total, currency }) => ({ out_trade_no: outTradeNo, amount: { total, currency } }),
    };
  },
});

function directApplication(schema: typeof applyBody | typeof harmonyApplyBody) {
  return (written: unknown): Application => {
    const body = readAs(schema, written, "body");
    return { body, actor: direct(body) };
  };
}

function partnerApplication(written: unknown): Application {
  const body = readAs(partnerApplyBody, written, "body");
  return { body, actor: partner(body) };
}

const applications = (deps: Deps): RouteV3[] => [
  apply("", directApplication(applyBody), deps),
  apply("harmony/", directApplication(harmonyApplyBody), deps),
  apply("partner/", partnerApplication, deps),
];

/** @param isPartner whether a service provider books for its sub-merchant */
const schedule = (isPartner: boolean, deps: Deps): RouteV3 => ({
  name: "contractschedule",
  method: "POST",
  path: `${isPartner ? partnerSchedules : schedules}/schedule`,
  prepare(request): PreparedCall<ContractRow> {
    const contractId = numberIn(request);
    const text = readBodyV3(request.body);
    const actor = isPartner
      ? partner(readAs(partnerScheduleBody, text, "body"))
      : direct(readAs(scheduleBody, text, "body"));
    const { schedule_amount } = readAs(scheduleBody.pick({ schedule_amount: true }), text, "body");
    return {
      async perform() {
        return deps.contracts.schedule(await contractOf(deps, request, actor, contractId), schedule_amount.total);
      },
      view: scheduleV3,
    };
  },
});

const querySchedule = (isPartner: boolean, { contracts, settle }: Deps): RouteV3 => ({
  name: "contractschedule",
  method: "GET",
  path: isPartner ? partnerSchedules : schedules,
  prepare(request): PreparedCall<ContractRow> {
    const contractId = numberIn(request);
    const subMchId = isPartner ? readAs(bySub, request.query, "query").sub_mchid : null;
    const { mchId } = request.merchant;
    return {
      async perform() {
        await settle();
        return contracts.get({ mchId, subMchId, contractId });
      },
      view: scheduleV3,
    };
  },
});

/** Reads who announces, and what. The body must name the merchant that signed. */
function announcementIn(isPartner: boolean, request: RequestV3) {
  const text = readBodyV3(request.body);
  if (isPartner) {
    const body = readAs(partnerAnnounceBody, text, "body");
    checkMerchant(request, body.sp_mchid);
    return { ...body, actor: partner(body) };
  }
  const body = readAs(announceBody, text, "body");
  checkMerchant(request, body.mchid);
  return { ...body, actor: direct(body) };
}

function reminderIn(isPartner: boolean, request: RequestV3): Actor {
  const text = readBodyV3(request.body);
  if (isPartner) {
    const body = readAs(partnerFailNotifyBody, text, "body");
    checkMerchant(request, body.sp_mchid);
    return partner(body);
  }
  const body = readAs(failNotifyBody, text, "body");
  checkMerchant(request, body.mchid);
  return direct(body);
}

const rootOf = (isPartner: boolean) => `/v3/${isPartner ? "partner-papay" : "papay"}/contracts/{contract_id}`;

const announce = (isPartner: boolean, deps: Deps): RouteV3 => ({
  name: "contractnotify",
  method: "POST",
  path: `${rootOf(isPartner)}/notify`,
  prepare(request): PreparedCall<ContractRow> {
    const contractId = numberIn(request);
    const { actor, estimated_amount, deduct_duration } = announcementIn(isPartner, request);
    return {
      async perform() {
        const contract = await contractOf(deps, request, actor, contractId);
        return deps.contracts.announce(contract, { fen: estimated_amount.amount, days: deduct_duration?.count });
      },
      view: () => undefined,
    };
  },
});

const remind = (isPartner: boolean, deps: Deps): RouteV3 => ({
  name: "contractnotify",
  method: "POST",
  path: `${rootOf(isPartner)}/fail-notify`,
  prepare(request): PreparedCall<void> {
    const contractId = numberIn(request);
    const actor = reminderIn(isPartner, request);
    return {
      async perform() {
        await deps.contracts.remind(await contractOf(deps, request, actor, contractId));
      },
      view: () => undefined,
    };
  },
});

export const deductionCallsV3 = (deps: Deps): readonly RouteV3[] => [
  ...applications(deps),
  ...[false, true].flatMap((isPartner) => [
    schedule(isPartner, deps),
    querySchedule(isPartner, deps),
    announce(isPartner, deps),
    remind(isPartner, deps),
  ]),
];
