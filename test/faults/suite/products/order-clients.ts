/** Clients that pay in partner mode and combined, tell of shipping, and complain. */
import { openid, twice, type Promised, type Scene } from "./scene.ts";

export function orderClients({
  world,
  url,
  merchant,
  partner,
  combiner,
  pay,
  isPaid,
  paidOrder,
  appid,
  secret,
  mch_id,
}: Scene) {
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

  return { payForPartner, combine, ship, complain };
}
