/** The calls of version 3 that prepare, query and end contracts. */
import { refusal } from "../ledger/refusals.ts";
import type { Merchant, Merchants } from "../merchants/merchants.ts";
import { checkBinding } from "../partner/sub-merchant.ts";
import { checkProduct } from "../v3/order-request-v3.ts";
import { readAs, readBodyV3 } from "../v3/requests-v3.ts";
import type { PreparedCall, RequestV3, RouteV3 } from "../v3/route-v3.ts";
import {
  bySub,
  contractCode,
  partnerSignBodies,
  partnerTerminateBody,
  sceneSignBody,
  signBodies,
  terminateBody,
  type PartnerSignBody,
  type SignBody,
} from "./contract-requests-v3.ts";
import { dayOf } from "./contract-rules.ts";
import type { ContractRow } from "./contract-tables.ts";
import { contractV3, partnerContractV3, plainContractV3 } from "./contract-views-v3.ts";
import type { Contracts } from "./contracts.ts";
import { signMiniProgram, signPath } from "./sign-mini-program.ts";

export interface SignDeps {
  readonly contracts: Contracts;
  readonly merchants: Pick<Merchants, "get">;
  /** The page on which the user signs. */
  readonly signPage: (contract: ContractRow) => string;
  /** Ends what is due, so that a query never returns a contract that should have ended. */
  readonly settle: () => Promise<void>;
  /** Unix time in ms. */
  readonly now: () => number;
}

const root = "/v3/papay/sign";
const scheduled = "/v3/papay/scheduled-deduct-sign";
const ways = ["app", "h5", "jsapi", "mini-program"] as const;
type Way = (typeof ways)[number];

/** How the merchant's page, app or mini-program opens the contract. */
function openedBy(way: Way, contract: ContractRow, { signPage }: SignDeps) {
  const { pre_sign_id } = contract;
  switch (way) {
    case "h5":
    case "jsapi":
      return { redirect_url: signPage(contract) };
    case "app":
      return {
        pre_entrustweb_id: pre_sign_id,
        miniprogram_username: signMiniProgram.username,
        miniprogram_path: signPath(pre_sign_id),
      };
    case "mini-program":
      return {
        pre_entrustweb_id: pre_sign_id,
        redirect_appid: signMiniProgram.appid,
        redirect_path: signPath(pre_sign_id),
      };
  }
}

/** @throws PaymentRefusal INVALID_REQUEST for a day that was */
function deductionOf({ deduct_schedule: schedule }: Pick<SignBody, "deduct_schedule">, now: number) {
  if (!schedule) return {};
  const { estimated_deduct_date: deduct_day, estimated_deduct_amount } = schedule;
  if (deduct_day <= dayOf(now)) throw refusal("INVALID_REQUEST", "预计扣费日期必须晚于今天");
  return { deduct_day, deduct_fen: estimated_deduct_amount.total };
}

const common = (body: SignBody | PartnerSignBody, { merchant, from }: Pick<RequestV3, "merchant" | "from">) =>
  ({
    mch_id: merchant.mchId,
    plan_id: body.plan_id,
    out_contract_code: body.out_contract_code,
    display_account: body.contract_display_account,
    notify_url: body.contract_notify_url,
    notify_from: from ?? null,
    out_user_code: body.out_user_code ?? null,
    version: "v3",
  }) as const;

const sign = (way: Way, deps: SignDeps): RouteV3 => ({
  name: "preentrustweb",
  method: "POST",
  path: `${scheduled}/contracts/pre-entrust-sign/${way}`,
  prepare(request): PreparedCall<ContractRow> {
    const body = readAs(signBodies[way], readBodyV3(request.body), "body");
    return {
      perform() {
        checkProduct(request.merchant, body.appid, "PAP");
        return deps.contracts.ask({
          ...{ ...common(body, request), ...deductionOf(body, deps.now()) },
          ...{ app_id: body.appid, openid: body.openid ?? null },
        });
      },
      view: (contract) => openedBy(way, contract, deps),
    };
  },
});

const partnerSign = (way: Way, deps: SignDeps): RouteV3 => ({
  name: "preentrustweb",
  method: "POST",
  path: `${scheduled}/partner/contracts/pre-entrust-sign/${way}`,
  prepare(request): PreparedCall<ContractRow> {
    const body = readAs(partnerSignBodies[way], readBodyV3(request.body), "body");
    const { sub_mchid, sub_appid, sub_openid } = body;
    return {
      async perform() {
        checkProduct(request.merchant, body.sp_appid, "PAP");
        await checkBinding(deps.merchants, request.merchant, { sub_mchid, sub_appid }, "PAP");
        return deps.contracts.ask({
          ...{ ...common(body, request), ...deductionOf(body, deps.now()) },
          ...{ app_id: body.sp_appid, openid: body.sp_openid ?? sub_openid ?? null },
          ...{ sub_mch_id: sub_mchid, sub_app_id: sub_appid ?? null, sub_openid: sub_openid ?? null },
        });
      },
      view: (contract) => openedBy(way, contract, deps),
    };
  },
});

/** Without a deduction on a certain day. */
const signInScene = (deps: SignDeps): RouteV3 => ({
  name: "preentrustweb",
  method: "POST",
  path: `${root}/contracts/pre-entrust-sign`,
  prepare(request): PreparedCall<ContractRow> {
    const body = readAs(sceneSignBody, readBodyV3(request.body), "body");
    return {
      perform() {
        checkProduct(request.merchant, body.appid, "PAP");
        return deps.contracts.ask({
          ...common(body, request),
          ...{ app_id: body.appid, openid: body.openid ?? null, return_url: body.return_url ?? null },
        });
      },
      view: (contract) => ({
        pre_entrustweb_id: contract.pre_sign_id,
        ...(body.sign_scene === "SIGN_SCENE_QRCODE"
          ? { redirect_url: deps.signPage(contract) }
          : {
              mini_program_username: signMiniProgram.username,
              mini_program_path: signPath(contract.pre_sign_id),
            }),
      }),
    };
  },
});

const keyOf = ({ mchId }: Merchant, params: unknown, subMchId: string | null) => {
  const { plan_id: planId, out_contract_code: code } = readAs(contractCode, params, "uri_template");
  return { mchId, subMchId, planId, code };
};

const query = (path: string, view: (contract: ContractRow) => unknown, { contracts, settle }: SignDeps): RouteV3 => ({
  name: "querycontract",
  method: "GET",
  path: `${root}/contracts/${path}/{plan_id}/out-contract-code/{out_contract_code}`,
  prepare({ merchant, params }): PreparedCall<ContractRow> {
    const key = keyOf(merchant, params, null);
    return {
      async perform() {
        await settle();
        return contracts.get(key);
      },
      view,
    };
  },
});

const partnerQuery = ({ contracts, settle }: SignDeps): RouteV3 => ({
  name: "querycontract",
  method: "GET",
  path: `${root}/partner/contracts/plan-id/{plan_id}/out-contract-code/{out_contract_code}`,
  prepare({ merchant, params, query: fields }): PreparedCall<ContractRow> {
    const key = keyOf(merchant, params, readAs(bySub, fields, "query").sub_mchid);
    return {
      async perform() {
        await settle();
        return contracts.get(key);
      },
      view: partnerContractV3,
    };
  },
});

/** @param isPartner whether a service provider ends a contract of its sub-merchant */
const terminate = (isPartner: boolean, { contracts, settle }: SignDeps): RouteV3 => ({
  name: "deletecontract",
  method: "POST",
  path: `${root}/${isPartner ? "partner/" : ""}contracts/plan-id/{plan_id}/out-contract-code/{out_contract_code}/terminate`,
  prepare({ merchant, params, body: text }): PreparedCall<ContractRow> {
    const read = readBodyV3(text);
    const subMchId = isPartner ? readAs(partnerTerminateBody, read, "body").sub_mchid : null;
    const { contract_termination_remark: remark } = readAs(terminateBody, read, "body");
    const key = keyOf(merchant, params, subMchId);
    return {
      async perform() {
        await settle();
        return contracts.terminate(await contracts.get(key), { mode: "MCH_API_TERMINATE", remark });
      },
      view: isPartner ? partnerContractV3 : contractV3,
    };
  },
});

export const signCallsV3 = (deps: SignDeps): readonly RouteV3[] => [
  ...ways.map((way) => sign(way, deps)),
  ...ways.map((way) => partnerSign(way, deps)),
  signInScene(deps),
  query("plan-id", contractV3, deps),
  query("harmony-plan-id", plainContractV3, deps),
  partnerQuery(deps),
  terminate(false, deps),
  terminate(true, deps),
];
