/**
 * A merchant that uses the platform's other products while faults happen: partner mode, combined orders, profit sharing,
 * transfers, shipping information, complaints and contracts. Each client keeps what was acknowledged to it.
 */
import { contractIdOf } from "../../../support/payments/begin-money-moves.ts";
import { createCombiner } from "../../../support/payments/combiner.ts";
import { createMerchantV3, type ReplyV3 } from "../../../support/payments/merchant-v3.ts";
import { createPartner } from "../../../support/payments/partner.ts";
import type { Client } from "../traffic.ts";
import type { World } from "../world.ts";

/** What a reply acknowledged, and how to see that it is there. */
export interface Promised {
  readonly product: string;
  readonly number: string;
  readonly isThere: () => Promise<boolean>;
}

const openid = "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o";
export const shareFen = 10;

/** Begins the numbers of a round or of one client's act; some numbers allow only letters and digits. */
export const numberOf = (name: string) => `FAULTS${name.replaceAll("-", "x")}`;

/** Sends a request and, as a merchant does that is not sure, the same once more. Returns what acknowledged it, if anything. */
async function twice(send: () => Promise<ReplyV3>): Promise<ReplyV3 | undefined> {
  const replies = [await send().catch(() => undefined), await send().catch(() => undefined)];
  return replies.find((reply) => reply !== undefined && reply.status < 300);
}

export async function openProducts(world: Pick<World, "sim" | "hearth">) {
  const { provider: url } = world.hearth.addresses();
  const merchant = await createMerchantV3(url);
  const { app_id: appid, app_secret: secret, mch_id } = merchant.credentials;
  const provider = {
    control: async (method: string, path: string, body?: unknown) =>
      (await world.sim(method, path, body)).body as Record<string, unknown>,
  };
  const partner = await createPartner(provider, merchant);
  const combiner = await createCombiner(provider, merchant);

  const pay = async (number: string) => (await world.sim("POST", `/orders/${number}/pay`)).status === 200;
  const isPaid = async (number: string) => (await merchant.query(number)).json.trade_state === "SUCCESS";
  async function paidOrder(number: string, changed?: Record<string, unknown>) {
    const placed = await twice(() => merchant.place("native", number, changed));
    return placed !== undefined && (await pay(number));
  }

  async function payForPartner(number: string, promised: Promised[]): Promise<void> {
    const placed = await twice(() => partner.place("native", number));
    if (!placed || !(await pay(number))) return;
    const isThere = async () => (await partner.query(`out-trade-no/${number}`)).json.trade_state === "SUCCESS";
    promised.push({ product: "partner order", number, isThere });
  }

  async function combine(number: string, promised: Promised[]): Promise<void> {
    const placed = await twice(() => combiner.place("native", number));
    if (!placed || !(await pay(number))) return;
    const isThere = async () => {
      const parts = ((await combiner.query(number)).json.sub_orders ?? []) as { trade_state: string }[];
      return parts.length === 2 && parts.every(({ trade_state }) => trade_state === "SUCCESS");
    };
    promised.push({ product: "combined order", number, isThere });
  }

  async function share(number: string, promised: Promised[]): Promise<void> {
    const receiver = { type: "PERSONAL_OPENID", account: `o${number}` };
    const added = await twice(() =>
      merchant.call("POST", "/v3/profitsharing/receivers/add", { appid, ...receiver, relation_type: "STAFF" }),
    );
    if (!added || !(await paidOrder(number, { settle_info: { profit_sharing: true } }))) return;
    const { transaction_id } = (await merchant.query(number)).json;
    const asked = {
      ...{ appid, transaction_id, out_order_no: number, unfreeze_unsplit: false },
      receivers: [{ ...receiver, amount: shareFen, description: "tip" }],
    };
    const shared = await twice(() => merchant.call("POST", "/v3/profitsharing/orders", asked));
    if (!shared) return;
    const path = `/v3/profitsharing/orders/${number}?transaction_id=${String(transaction_id)}`;
    const isThere = async () => (await merchant.call("GET", path)).json.order_id === shared.json.order_id;
    promised.push({ product: "share", number, isThere });
    await world.sim("POST", `/shares/${String(shared.json.order_id)}/finish`, { failures: [] });
  }

  async function transfer(number: string, promised: Promised[]): Promise<void> {
    const root = "/v3/fund-app/mch-transfer/transfer-bills";
    const asked = {
      ...{ appid, out_bill_no: number, transfer_scene_id: "1000", openid, transfer_amount: 30 },
      ...{ transfer_remark: "prize", transfer_scene_report_infos: [{ info_type: "活动名称", info_content: "prize" }] },
    };
    const begun = await twice(() => merchant.call("POST", root, asked));
    if (!begun) return;
    const read = async () => (await merchant.call("GET", `${root}/out-bill-no/${number}`)).json;
    const bill = String(begun.json.transfer_bill_no);
    promised.push({ product: "transfer", number, isThere: async () => (await read()).transfer_bill_no === bill });
    if ((await world.sim("POST", `/transfers/${bill}/confirm`)).status !== 200) return;
    promised.push({ product: "confirmation", number, isThere: async () => (await read()).state === "SUCCESS" });
  }

  async function ship(number: string, promised: Promised[]): Promise<void> {
    const jsapi = { payer: { openid } };
    const placed = await twice(() => merchant.place("jsapi", number, jsapi));
    if (!placed || !(await pay(number))) return;
    const ask = async (path: string, body?: object) => {
      const reply = await fetch(`${url}${path}`, {
        ...(body && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
      });
      return (await reply.json()) as Record<string, unknown>;
    };
    const call = async (name: string, body: object) => {
      const token = await ask(`/cgi-bin/token?grant_type=client_credential&appid=${appid}&secret=${secret}`);
      return ask(`/wxa/sec/order/${name}?access_token=${String(token["access_token"])}`, body);
    };
    const { errcode } = await call("upload_shipping_info", {
      order_key: { order_number_type: 1, mchid: mch_id, out_trade_no: number },
      ...{ logistics_type: 3, delivery_mode: 1, shipping_list: [{ item_desc: "tea*1" }] },
      ...{ upload_time: new Date().toISOString(), payer: { openid } },
    });
    if (errcode !== 0) return;
    const isThere = async () => {
      const { order } = await call("get_order", { merchant_id: mch_id, merchant_trade_no: number });
      return ((order as { order_state?: number } | undefined)?.order_state ?? 0) >= 2;
    };
    promised.push({ product: "shipment", number, isThere });
  }

  async function complain(number: string, promised: Promised[]): Promise<void> {
    if (!(await paidOrder(number))) return;
    promised.push({ product: "order", number, isThere: () => isPaid(number) });
    const { status, body } = await world.sim("POST", "/complaints", { out_trade_no: number, detail: "Cold." });
    if (status !== 201) return;
    const { complaint_id: id } = body as { complaint_id: string };
    const path = `/v3/merchant-service/complaints-v2/${id}`;
    const read = async () => (await merchant.call("GET", path)).json;
    promised.push({ product: "complaint", number, isThere: async () => (await read()).complaint_id === id });
    const done = await twice(() => merchant.call("POST", `${path}/complete`, { complainted_mchid: mch_id }));
    if (done)
      promised.push({ product: "end", number, isThere: async () => (await read()).complaint_state === "PROCESSED" });
  }

  async function deduct(number: string, promised: Promised[]): Promise<void> {
    const asked = await twice(() =>
      merchant.call("POST", "/v3/papay/scheduled-deduct-sign/contracts/pre-entrust-sign/jsapi", {
        ...{ appid, plan_id: 1, out_contract_code: number, contract_display_account: "Ada" },
        contract_notify_url: "http://127.0.0.1:9/contracts",
      }),
    );
    if (!asked) return;
    const contract_id = await contractIdOf(provider, number);
    if ((await world.sim("POST", `/contracts/${contract_id}/sign`, {})).status !== 200) return;
    const path = `/v3/papay/sign/contracts/plan-id/1/out-contract-code/${number}`;
    const isSigned = async () => (await merchant.call("GET", path)).json.contract_id === contract_id;
    promised.push({ product: "contract", number, isThere: isSigned });
    const deduction = await twice(() =>
      merchant.call("POST", "/v3/papay/pay/transactions/apply", {
        ...{ appid, contract_id, out_trade_no: number, description: "VIP", amount: { total: 100, currency: "CNY" } },
        transaction_notify_url: "http://127.0.0.1:9/deductions",
      }),
    );
    if (deduction) promised.push({ product: "deduction", number, isThere: () => isPaid(number) });
  }

  const acts = { P: payForPartner, C: combine, S: share, T: transfer, D: ship, B: complain, K: deduct };
  return {
    clients: (promised: Promised[]): Client[] =>
      Object.entries(acts).map(([letter, act]) => [150, (name) => act(numberOf(name) + letter, promised)]),
  };
}
export type Products = Awaited<ReturnType<typeof openProducts>>;
