/**
 * A user's own backend as small as can be: it places orders at the simulator, takes notifications and says what it has
 * settled. It is correct, unless a test asks for one of the mistakes that people make.
 */
import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { PayVersion } from "../../../server/contract/provider/payment-terms.ts";
import { listen } from "../process/listen.ts";
import { createMerchantV2 } from "./merchant-v2.ts";
import { createMerchantV3, isFromPlatform, platformKeysOf } from "./merchant-v3.ts";
import { checkedV2, checkedV3 } from "./receivers/notification-problems.ts";
import { acceptedV2, type ReceivedNotification } from "./notification-receiver.ts";
import { fieldsOfXml } from "./payment-signatures.ts";
import type { TestProvider } from "./test-provider.ts";

export type Mistake =
  | "trusts-result-code"
  | "ignores-signatures"
  | "settles-twice"
  | "ignores-amounts"
  | "answers-first"
  | "answers-201"
  | "answers-text"
  | "trusts-query-replies"
  | "believes-refunds"
  | "does-not-query-refunds"
  | "dies-of-doctypes"
  | "knows-no-public-key"
  | "knows-no-certificate";

interface ShopOrder {
  readonly total: number;
  settled: number;
  payment?: string;
}

/** What a query or a notification says of an order, in the words of either version. */
interface Told {
  readonly outTradeNo: string;
  readonly total: number;
  readonly currency: string;
  readonly payment: string;
  readonly state: string;
}

const total = 101;
/** Of the time that `allowTime` gives it. */
const queryWithinMs = 15_000;

const within = <Value>(ms: number, work: Promise<Value>): Promise<Value | undefined> => {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, ms, undefined).unref());
  return Promise.race([work.catch(() => undefined), late]);
};

export async function startShopBackend(provider: TestProvider, version: PayVersion = "v2", ...mistakes: Mistake[]) {
  const makes = (mistake: Mistake) => mistakes.includes(mistake);
  const v2 = createMerchantV2(provider);
  const v3 = await createMerchantV3(provider.url);
  const { credentials } = v3;
  const known = new Map(
    [...platformKeysOf(credentials)].filter(
      ([serial]) => !makes(serial === credentials.platform_serial ? "knows-no-certificate" : "knows-no-public-key"),
    ),
  );
  const orders = new Map<string, ShopOrder>();
  const turns = new Map<string, Promise<unknown>>();
  /** Several may have orders at one simulator. */
  const name = randomBytes(4).toString("hex");
  let url = "";

  async function place(): Promise<string> {
    const number = `SHOP-${name}-${String(orders.size + 1)}`;
    orders.set(number, { total, settled: 0 });
    const notify_url = `${url}/notifications`;
    if (version === "v3") await v3.place("native", number, { notify_url });
    else await v2.place(number, { notify_url, trade_type: "NATIVE", total_fee: String(total) });
    return number;
  }

  const toldV2 = (said: Record<string, string>, state: string | undefined): Told => ({
    outTradeNo: said["out_trade_no"] ?? "",
    total: Number(said["total_fee"]),
    currency: said["fee_type"] ?? "CNY",
    payment: said["transaction_id"] ?? "",
    state: state ?? "",
  });
  // oxlint-disable-next-line typescript/no-explicit-any
  const toldV3 = (said: any): Told => ({
    outTradeNo: said.out_trade_no,
    total: said.amount?.total,
    currency: said.amount?.currency,
    payment: said.transaction_id,
    state: said.trade_state,
  });

  /** Undefined where nobody knows. */
  async function query(number: string): Promise<Told | undefined> {
    if (version === "v3") {
      const reply = await within(queryWithinMs, v3.query(number));
      if (reply?.status !== 200) return undefined;
      const header = (name: string) => reply.headers.get(name);
      const key = known.get(header("wechatpay-serial") ?? "");
      const isSigned = key !== undefined && isFromPlatform(header, reply.text, key);
      return isSigned || makes("trusts-query-replies") ? toldV3(reply.json) : undefined;
    }
    const reply = await within(queryWithinMs, v2.query(number));
    if (reply?.fields["result_code"] !== "SUCCESS" || !(reply.isSigned || makes("trusts-query-replies")))
      return undefined;
    return toldV2(reply.fields, reply.fields["trade_state"]);
  }

  function problemsOf(received: ReceivedNotification): { problems: readonly string[]; told: Told | undefined } {
    const { problems, said } =
      version === "v3" ? checkedV3(received, credentials, known) : checkedV2(received, credentials);
    const forgeries = ["sign", "signature", "serial", "timestamp"];
    const counted = makes("ignores-signatures") ? problems.filter((one) => !forgeries.includes(one)) : problems;
    if (said === undefined) return { problems: [...counted, "nothing said"], told: undefined };
    return { problems: counted, told: version === "v3" ? toldV3(said) : toldV2(said, said["result_code"]) };
  }

  function settle(order: ShopOrder, payment: string): boolean {
    order.settled++;
    order.payment = payment;
    return true;
  }

  const differs = (order: ShopOrder, { total: told, currency }: Told) =>
    !makes("ignores-amounts") && (told !== order.total || currency !== "CNY");

  /** Whether it says yes. */
  async function take(told: Told): Promise<boolean> {
    const order = orders.get(told.outTradeNo);
    if (!order) return false;
    if (order.settled > 0 && order.payment === told.payment && !makes("settles-twice")) return true;
    if (makes("trusts-result-code"))
      return told.state === "SUCCESS" && !differs(order, told) ? settle(order, told.payment) : false;
    const found = await query(told.outTradeNo);
    if (!found || found.state === "NOTPAY" || found.state === "USERPAYING") return false;
    if (found.state !== "SUCCESS") return true;
    if (found.payment !== told.payment || differs(order, told) || differs(order, found)) return false;
    return settle(order, told.payment);
  }

  /** One at a time for each order. */
  function takeInTurn(told: Told): Promise<boolean> {
    const turn = (turns.get(told.outTradeNo) ?? Promise.resolve()).then(() => take(told));
    turns.set(told.outTradeNo, turn);
    return turn;
  }

  async function decide(received: ReceivedNotification): Promise<boolean> {
    if (version === "v2" && fieldsOfXml(received.body)["return_code"] === "FAIL") return true;
    const { problems, told } = problemsOf(received);
    return problems.length === 0 && told !== undefined && takeInTurn(told);
  }

  /** Of refunds that were made by hand, so that it knows no more of them than the order. */
  async function decideRefund(received: ReceivedNotification): Promise<boolean> {
    if (makes("believes-refunds")) return true;
    const { problems, said } =
      version === "v3" ? checkedV3(received, credentials, known) : checkedV2(received, credentials);
    const { out_trade_no, out_refund_no = "" } = (said ?? {}) as Record<string, string | undefined>;
    if (problems.length > 0 || !orders.has(out_trade_no ?? "")) return false;
    if (makes("does-not-query-refunds")) return true;
    if (version === "v3")
      return (await v3.call("GET", `/v3/refund/domestic/refunds/${out_refund_no}`)).json.status === "SUCCESS";
    return (await v2.refundQuery({ out_refund_no })).fields["refund_status_0"] === "SUCCESS";
  }

  function answer(res: ServerResponse, yes: boolean): void {
    if (yes && makes("answers-text")) return void res.writeHead(200, { "Content-Type": "text/plain" }).end("success");
    if (version === "v3")
      return void (yes
        ? res.writeHead(makes("answers-201") ? 201 : 204).end()
        : res.writeHead(500, { "Content-Type": "application/json" }).end('{"code":"FAIL","message":"no"}'));
    const body = yes ? acceptedV2 : "<xml><return_code><![CDATA[FAIL]]></return_code></xml>";
    res.writeHead(yes && makes("answers-201") ? 201 : 200, { "Content-Type": "text/xml" }).end(body);
  }

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname } = new URL(req.url ?? "/", url);
    const json = (value: unknown) =>
      res.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(value));
    if (pathname === "/orders") return void json({ data: { number: await place() } });
    const [, status] = /^\/status\/(.+)$/.exec(pathname) ?? [];
    if (status !== undefined) {
      const order = orders.get(decodeURIComponent(status));
      return void (order
        ? json({ state: order.settled > 0 ? "PAID" : "OPEN", settlements: order.settled })
        : res.writeHead(404).end());
    }
    const body = await text(req);
    if (makes("dies-of-doctypes") && body.includes("<!DOCTYPE")) return void res.socket?.destroy();
    const received = { path: pathname, headers: req.headers, body };
    if (makes("answers-first")) answer(res, true);
    const yes = await (pathname === "/refunds" ? decideRefund(received) : decide(received));
    if (!makes("answers-first")) answer(res, yes);
  }

  const listener = await listen((req, res) => void handle(req, res).catch(() => res.destroy()));
  url = listener.url;
  return {
    url,
    orders,
    refundUrl: `${url}/refunds`,
    /** What the check is told of it. */
    described: {
      notify_url: `${url}/notifications`,
      orders: { from: "backend" as const, url: `${url}/orders` },
      status: { url: `${url}/status/{out_trade_no}`, settled_when: "state=PAID", settlements_at: "settlements" },
    },
    [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose](),
  };
}
