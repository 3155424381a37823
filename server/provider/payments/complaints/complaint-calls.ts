/** The calls of version 3 about complaints, those of a merchant about its own orders. */
import type { KeyObject } from "node:crypto";
import type { Kysely } from "kysely";
import { offsetTime } from "../../../payment-wire/provider-time.ts";
import type { Keys } from "../keys/keys.ts";
import { encryptField } from "../v3/encrypt-field-v3.ts";
import { refusal } from "../ledger/refusals.ts";
import { paramError } from "../v3/refusal-v3.ts";
import { readAs, readBodyV3 } from "../v3/requests-v3.ts";
import { checkMerchant, type PreparedCall, type RequestV3, type RouteV3 } from "../v3/route-v3.ts";
import {
  complaintNumber,
  complaintsQuery,
  completeBody,
  historyQuery,
  receiverBody,
  refundDecisionBody,
  replyBody,
} from "./complaint-requests.ts";
import type { ComplaintLogRow, ComplaintTables } from "./complaint-tables.ts";
import type { Complaints, ComplaintWithOrder } from "./complaints.ts";

interface Deps {
  readonly db: Kysely<ComplaintTables>;
  readonly complaints: Complaints;
  readonly keys: Pick<Keys, "merchantPublicKeys">;
}

const root = "/v3/merchant-service";
const dayMs = 86_400_000;
const longestDays = 30;

export function complaintCalls({ db, complaints, keys }: Deps): readonly RouteV3[] {
  /** @throws PaymentRefusal if the merchant has no such complaint */
  async function own({ merchant, params }: RequestV3): Promise<ComplaintWithOrder> {
    const { complaint_id } = readAs(complaintNumber, params, "uri_template");
    const complaint = await complaints.find(complaint_id);
    if (complaint?.mch_id !== merchant.mchId) throw refusal("RESOURCE_NOT_EXISTS", "投诉单不存在");
    return complaint;
  }
  const view = async (complaint: ComplaintWithOrder) =>
    complaintView(complaint, (await keys.merchantPublicKeys(complaint.mch_id))[0]);

  const list: RouteV3 = {
    ...{ name: "complaintquery", method: "GET", path: `${root}/complaints-v2` },
    prepare({ merchant, query }) {
      const { limit, offset, begin_date, end_date, complainted_mchid } = readAs(complaintsQuery, query, "query");
      const [from, last] = [begin_date, end_date].map((day) => Date.parse(`${day}T00:00:00+08:00`)) as [number, number];
      if (last < from || last - from > longestDays * dayMs)
        throw paramError("query", "end_date", end_date, "must be at most 30 days after begin_date");
      const isOther = complainted_mchid !== undefined && complainted_mchid !== merchant.mchId;
      return {
        async perform() {
          const { page, total } = await complaints.ofMerchant(isOther ? "" : merchant.mchId, {
            ...{ from, to: last + dayMs, limit, offset },
          });
          const data = [];
          for (const complaint of page) {
            const { payer_openid: _, ...listed } = await view(complaint);
            data.push(listed);
          }
          return { data, limit, offset, total_count: total };
        },
        view: (reply) => reply,
      };
    },
  };

  const detail: RouteV3 = {
    ...{ name: "complaintquery", method: "GET", path: `${root}/complaints-v2/{complaint_id}` },
    prepare: (request) => ({ perform: async () => view(await own(request)), view: (reply) => reply }),
  };

  const history: RouteV3 = {
    ...{ name: "complaintquery", method: "GET", path: `${root}/complaints-v2/{complaint_id}/negotiation-historys` },
    prepare(request) {
      const { limit, offset } = readAs(historyQuery, request.query, "query");
      return {
        async perform() {
          const { complaint_id } = await own(request);
          const logs = (await complaints.history(complaint_id)).toReversed();
          const data = logs.slice(offset, offset + limit).map(logView);
          return { data, limit, offset, total_count: logs.length };
        },
        view: (reply) => reply,
      };
    },
  };

  const act = (
    path: string,
    prepare: (request: RequestV3) => (complaint: ComplaintWithOrder) => Promise<void>,
  ): RouteV3 => ({
    ...{ name: "complaintreply", method: "POST", path: `${root}/complaints-v2/{complaint_id}/${path}` },
    prepare(request): PreparedCall<void> {
      const perform = prepare(request);
      return { perform: async () => perform(await own(request)), view: () => undefined };
    },
  });

  const reply = act("response", (request) => {
    const { complainted_mchid, response_content } = readAs(replyBody, readBodyV3(request.body), "body");
    checkMerchant(request, complainted_mchid);
    return (complaint) => complaints.reply(complaint, response_content);
  });
  const complete = act("complete", (request) => {
    checkMerchant(request, readAs(completeBody, readBodyV3(request.body), "body").complainted_mchid);
    return async (complaint) => {
      if (complaint.state === "PROCESSED") throw refusal("INVALID_REQUEST", "投诉单已处理完成");
      await complaints.complete(complaint);
    };
  });
  const decideRefund = act("update-refund-progress", (request) => {
    const { action, reject_reason } = readAs(refundDecisionBody, readBodyV3(request.body), "body");
    if (action === "REJECT" && !reject_reason) throw paramError("body", "/reject_reason", "", "is missing");
    return async (complaint) => {
      if (complaint.problem_type !== "REFUND")
        throw refusal("INVALID_REQUEST", "只有申请退款的投诉单可以更新退款审批结果");
      await complaints.decideRefund(complaint, action === "REJECT" ? reject_reason : undefined);
    };
  });

  return [list, detail, history, reply, complete, decideRefund, ...receiverCalls(db)];
}

/** The address to which a merchant gets its notifications of complaints. */
function receiverCalls(db: Kysely<ComplaintTables>): readonly RouteV3[] {
  const common = { name: "complaintreceiver", path: `${root}/complaint-notifications` } as const;
  const stored = async (mchId: string) => {
    const rows = db.selectFrom("pay_complaint_receivers").select("url").where("mch_id", "=", mchId);
    const receiver = await rows.executeTakeFirst();
    if (!receiver) throw refusal("RESOURCE_NOT_EXISTS", "投诉通知回调地址不存在");
    return { mchid: mchId, url: receiver.url };
  };
  const remove = (mchId: string) => db.deleteFrom("pay_complaint_receivers").where("mch_id", "=", mchId).execute();

  function set({ merchant: { mchId }, body, from }: RequestV3, isNew: boolean): PreparedCall<unknown> {
    const { url } = readAs(receiverBody, readBodyV3(body), "body");
    return {
      async perform() {
        const before = await stored(mchId).catch(() => undefined);
        if (isNew && before) throw refusal("INVALID_REQUEST", "投诉通知回调地址已存在");
        if (!isNew) await stored(mchId);
        await remove(mchId);
        await db
          .insertInto("pay_complaint_receivers")
          .values({ mch_id: mchId, url, notify_from: from ?? null })
          .execute();
        return stored(mchId);
      },
      view: (reply) => reply,
    };
  }

  return [
    { ...common, method: "POST", prepare: (request) => set(request, true) },
    { ...common, method: "PUT", prepare: (request) => set(request, false) },
    {
      ...common,
      method: "GET",
      prepare: ({ merchant: { mchId } }) => ({ perform: () => stored(mchId), view: (reply) => reply }),
    },
    {
      ...common,
      method: "DELETE",
      prepare: ({ merchant: { mchId } }) => ({
        async perform() {
          await stored(mchId);
          await remove(mchId);
        },
        view: () => undefined,
      }),
    },
  ];
}

/** @param key encrypts the buyer's phone number */
function complaintView(complaint: ComplaintWithOrder, key: KeyObject | undefined) {
  const { phone } = complaint;
  return {
    complaint_id: complaint.complaint_id,
    complaint_time: offsetTime(complaint.created_at),
    complaint_detail: complaint.detail,
    complaint_state: complaint.state,
    complainted_mchid: complaint.mch_id,
    ...(phone !== null && key && { payer_phone: encryptField(key, phone) }),
    payer_openid: complaint.openid,
    complaint_order_info: [
      {
        transaction_id: complaint.transactionId,
        out_trade_no: complaint.outTradeNo,
        amount: complaint.total,
      },
    ],
    complaint_full_refunded: complaint.isRefunded,
    incoming_user_response: complaint.unanswered === 1,
    problem_description: complaint.problem,
    user_complaint_times: complaint.times,
    problem_type: complaint.problem_type,
    ...(complaint.apply_refund_amount !== null && { apply_refund_amount: complaint.apply_refund_amount }),
  };
}

const logView = ({ id, complaint_id, operator, at, type, text }: ComplaintLogRow) => ({
  log_id: `3${complaint_id.slice(1, 18)}${String(id).padStart(10, "0")}`,
  operator,
  operate_time: offsetTime(at),
  operate_type: type,
  ...(text !== "" && { operate_details: text }),
});
