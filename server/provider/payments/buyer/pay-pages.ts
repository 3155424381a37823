/**
 * The pages where a buyer pays in a browser: the page of MWEB orders, to which the merchant sends the buyer's browser,
 * and the page on which a person at this machine plays the buyer who scanned the QR code of a NATIVE order.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { z } from "zod";
import {
  getH5PayPage,
  getSimPayCode,
  getSimPayPage,
  outcomeView,
  postH5PayPage,
  postSimPayPage,
  type BuyerOutcome,
  type h5Query,
} from "../../../contract/provider/sim-client.ts";
import { isOwnOrigin } from "../../../http/conventions/control.ts";
import { redirect } from "../../../http/conventions/redirect.ts";
import { sendText } from "../../../http/conventions/send-json.ts";
import { HttpError, notFound } from "../../../http/http-error.ts";
import { route, type Reply } from "../../../http/route.ts";
import type { Ledger, Order } from "../ledger/ledger.ts";
import type { BuyerResult, Buying } from "./buying.ts";
import { contentPolicy, noticePage, payPage, qrSvg } from "./page-html.ts";
import { textsFor, type PageMessage } from "./page-texts.ts";

interface Deps {
  readonly ledger: Pick<Ledger, "byPrepayId" | "get">;
  readonly buying: Buying;
  /** Where the buyer of an order of Alipay goes after paying it. */
  readonly returnOfAlipay: (order: Order) => Promise<string | undefined>;
  /** Unix time in ms. */
  readonly now: () => number;
}

interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/** An order as its buyer sees it at an address. */
interface Visit {
  readonly order: Order;
  /** The page's address, without the last result. */
  readonly address: string;
  readonly view?: z.output<typeof outcomeView> | undefined;
  /** Where the buyer may return to. */
  readonly back?: string | undefined;
  /** Where the buyer is led after paying, if not back. */
  readonly afterPaying?: string | undefined;
  /** Content of the QR code. */
  readonly codeUrl?: string | undefined;
}

function messageOf({ buying, now }: Deps, order: Order, lastResult: Visit["view"]): PageMessage {
  switch (order.tradeState) {
    case "SUCCESS":
      return "paid";
    case "REFUND":
      return "refunded";
    case "CLOSED":
    case "REVOKED":
      return "closed";
    case "PAYERROR":
      return "failed";
    case "USERPAYING":
    case "NOTPAY":
      if (buying.isPaying(order)) return "paying";
      return order.expiresAt <= now() ? "expired" : (lastResult ?? "waiting");
  }
}

/** At Alipay, the order says where; the buyer of an unpaid one may only leave. */
async function waysBack(
  { returnOfAlipay }: Deps,
  order: Order,
  back: string | undefined,
): Promise<Pick<Visit, "back" | "afterPaying">> {
  if (order.version !== "alipay") return { back };
  const afterPaying = await returnOfAlipay(order);
  const { quit_url } = order.extra;
  const leave = typeof quit_url === "string" ? quit_url : undefined;
  return { back: order.paidAt === undefined ? leave : afterPaying, afterPaying };
}

export function createPayPages(deps: Deps) {
  const { ledger, buying, now } = deps;

  /** @param visit undefined if a page has been sent that explains why there is none */
  function show({ req, res }: Exchange, visit: Visit | undefined): Reply {
    if (!visit) return { sent: true };
    const { order, address, view, back, afterPaying, codeUrl } = visit;
    const message = messageOf(deps, order, view);
    const isOpen = message === "waiting" || message === view;
    const page = payPage({
      ...order,
      texts: textsFor(req.headers["accept-language"]),
      message,
      action: isOpen ? address : undefined,
      refresh: message === "paying" ? 1 : undefined,
      codeUrl,
      back,
    });
    return send(res, 200, page, back, afterPaying);
  }

  /** @param visit undefined if a page has been sent that explains why there is none */
  async function act({ req, res }: Exchange, visit: Visit | undefined, outcome: BuyerOutcome): Promise<Reply> {
    if (!visit) return { sent: true };
    const { order, address, back, afterPaying = back } = visit;
    // A page of another origin must not pay in the buyer's name.
    if (!isOwnOrigin(req)) throw new HttpError(403, "origin_refused", "Only the payment page may send this form.");
    const result = await buying.act(order, outcome);
    const view = outcomeView.safeParse(result.kind);
    const separator = address.includes("?") ? "&" : "?";
    const here = view.success ? `${address}${separator}shown=${view.data}` : address;
    // A buyer who is done returns to the merchant, whatever the result of the payment.
    redirect(req, res, 303, (isDone(result) && (result.kind === "paid" ? afterPaying : back)) || here);
    return { sent: true };
  }

  /** Undefined if there is no order; a page then says why. */
  async function visitH5({ req, res }: Exchange, query: z.output<typeof h5Query>): Promise<Visit | undefined> {
    const { prepay_id, package: until, redirect_url: back, shown: view } = query;
    const order = await ledger.byPrepayId(prepay_id);
    const texts = textsFor(req.headers["accept-language"]);
    if (order?.tradeType !== "MWEB") return void send(res, 404, noticePage(texts, "unknownOrder"));
    if (isUnpaid(order) && (order.prepayExpiresAt <= now() || Number(until ?? 0) <= now()))
      return void send(res, 410, noticePage(texts, "expiredLink"));
    const address = `/pay/h5?${String(
      new URLSearchParams({
        prepay_id,
        ...(until !== undefined && { package: until }),
        ...(back !== undefined && { redirect_url: back }),
      }),
    )}`;
    return { order, address, view, ...(await waysBack(deps, order, back)) };
  }

  /** Undefined if its code is no longer valid while the order is; a page then says so. */
  async function visitScan({ req, res }: Exchange, prepayId: string, view?: Visit["view"]): Promise<Visit | undefined> {
    const order = await ledger.byPrepayId(prepayId);
    if (!order) throw notFound(`No order has the prepay id ${prepayId}.`);
    if (isUnpaid(order) && order.prepayExpiresAt <= now() && now() < order.expiresAt)
      return void send(res, 410, noticePage(textsFor(req.headers["accept-language"]), "expiredLink"));
    return { order, address: `/sim/pay/${encodeURIComponent(prepayId)}`, view, codeUrl: order.codeUrl };
  }

  return {
    /** Mounted at the root: the buyer may use any machine. */
    h5: [
      route(getH5PayPage, async ({ query }, exchange) => show(exchange, await visitH5(exchange, query))),
      route(postH5PayPage, async ({ query, body: { outcome } }, exchange) =>
        act(exchange, await visitH5(exchange, query), outcome),
      ),
    ],
    /** For whoever may control the simulator. */
    scan: [
      route(getSimPayPage, async ({ params: { prepay_id }, query: { shown } }, exchange) =>
        show(exchange, await visitScan(exchange, prepay_id, shown)),
      ),
      route(postSimPayPage, async ({ params: { prepay_id }, body: { outcome } }, exchange) =>
        act(exchange, await visitScan(exchange, prepay_id), outcome),
      ),
      route(getSimPayCode, async ({ params: { prepay_id } }, exchange) => {
        const visit = await visitScan(exchange, prepay_id);
        if (!visit) return { sent: true };
        const { order, codeUrl } = visit;
        if (codeUrl === undefined)
          throw notFound(`The order ${order.outTradeNo} is ${order.tradeType}. Only NATIVE orders have a QR code.`);
        exchange.res.setHeader("Content-Security-Policy", "default-src 'none'");
        sendText(exchange.res, 200, "image/svg+xml; charset=utf-8", qrSvg(codeUrl));
        return { sent: true };
      }),
    ],
  };
}

const isUnpaid = ({ tradeState }: Order) => tradeState === "NOTPAY";
const isDone = ({ kind }: BuyerResult) => kind === "paid" || kind === "cancelled";

function send(res: ServerResponse, status: number, html: string, ...backs: (string | undefined)[]): Reply {
  res.setHeader("Content-Security-Policy", contentPolicy(...backs));
  res.setHeader("Cache-Control", "no-store");
  res.setHeader("Referrer-Policy", "same-origin");
  res.setHeader("X-Content-Type-Options", "nosniff");
  res.setHeader("Vary", "Accept-Language");
  sendText(res, status, "text/html; charset=utf-8", html);
  return { sent: true };
}
