/**
 * The pages where a buyer pays in a browser: the page of MWEB orders, to which the merchant sends the buyer's browser,
 * and the page on which a person at this machine plays the buyer who scanned the QR code of a NATIVE order.
 */
import { Router, type Request, type Response } from "express";
import { z } from "zod";
import { checkedBody, checkedQuery } from "../../../http/formats/checked-body.ts";
import { isOwnOrigin } from "../../../http/conventions/control.ts";
import { HttpError, notFound } from "../../../http/http-error.ts";
import type { Ledger, Order } from "../ledger/ledger.ts";
import { buyerOutcome, type BuyerResult, type Buying } from "./buying.ts";
import { contentPolicy, noticePage, payPage, qrSvg } from "./page-html.ts";
import { textsFor, type PageMessage } from "./page-texts.ts";

interface Deps {
  readonly ledger: Pick<Ledger, "byPrepayId" | "get">;
  readonly buying: Buying;
  /** Unix time in ms. */
  readonly now: () => number;
}

/** The form's result, shown on the next page. */
const outcomeView = z.enum(["cancelled", "wrong_password", "no_funds"]);

const webAddress = z
  .url()
  .max(2_048)
  .refine((text) => /^https?:/i.test(text), "an http or https address is needed");
const h5Query = z.looseObject({
  prepay_id: z.string().max(128).default(""),
  /** Unix ms until which the link is valid. */
  package: z
    .string()
    .regex(/^\d{1,15}$/, "is not as the simulator has written it")
    .optional(),
  redirect_url: webAddress.optional(),
  shown: outcomeView.optional(),
});
const scanQuery = z.looseObject({ shown: outcomeView.optional() });
const formBody = z.strictObject({ outcome: buyerOutcome });

/** An order as its buyer sees it at an address. */
interface Visit {
  readonly order: Order;
  /** The page's address, without the last result. */
  readonly address: string;
  readonly view?: z.output<typeof outcomeView> | undefined;
  readonly back?: string | undefined;
  /** Content of the QR code. */
  readonly codeUrl?: string | undefined;
}

export interface PayPages {
  /** Mounted at the root: the buyer may use any machine. */
  readonly h5: Router;
  /** Mounted at /sim. */
  readonly scan: Router;
}

export function createPayPages({ ledger, buying, now }: Deps): PayPages {
  function messageOf(order: Order, shown: Visit["view"]): PageMessage {
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
        return order.expiresAt <= now() ? "expired" : (shown ?? "waiting");
    }
  }

  function show(req: Request, res: Response, { order, address, view: shown, back, codeUrl }: Visit): void {
    const message = messageOf(order, shown);
    const isOpen = message === "waiting" || message === shown;
    const page = payPage({
      ...order,
      texts: textsFor(req.headers["accept-language"]),
      message,
      ...(isOpen && { action: address }),
      ...(message === "paying" && { refresh: 1 }),
      codeUrl,
      back,
    });
    send(res, 200, page, back);
  }

  async function act(req: Request, res: Response, { order, address, back }: Visit): Promise<void> {
    refuseOtherOrigins(req);
    const { outcome } = await checkedBody(req, formBody);
    const result = await buying.act(order, outcome);
    const shown = outcomeView.safeParse(result.kind);
    const separator = address.includes("?") ? "&" : "?";
    const here = shown.success ? `${address}${separator}shown=${shown.data}` : address;
    // A buyer who is done returns to the merchant, whatever the result of the payment.
    res.redirect(303, isDone(result) && back !== undefined ? back : here);
  }

  /** Undefined if there is no order; a page then says why. */
  async function visitH5(req: Request, res: Response): Promise<Visit | undefined> {
    const { prepay_id, package: until, redirect_url: back, shown } = checkedQuery(req, h5Query);
    const order = await ledger.byPrepayId(prepay_id);
    const texts = textsFor(req.headers["accept-language"]);
    if (order?.tradeType !== "MWEB") return void send(res, 404, noticePage(texts, "unknownOrder"));
    const isUnpaid = order.tradeState === "NOTPAY";
    if (isUnpaid && (order.prepayExpiresAt <= now() || Number(until ?? 0) <= now()))
      return void send(res, 410, noticePage(texts, "expiredLink"));
    const address = `/pay/h5?${String(
      new URLSearchParams({
        prepay_id,
        ...(until !== undefined && { package: until }),
        ...(back !== undefined && { redirect_url: back }),
      }),
    )}`;
    return { order, address, view: shown, back };
  }

  async function visitScan(req: Request<{ prepayId: string }>): Promise<Visit> {
    const { prepayId } = req.params;
    const order = await ledger.byPrepayId(prepayId);
    if (!order) throw notFound(`There is no order with the prepay id ${prepayId}.`);
    const { shown } = checkedQuery(req, scanQuery);
    return { order, address: `/sim/pay/${encodeURIComponent(prepayId)}`, view: shown, codeUrl: order.codeUrl };
  }

  const h5 = Router();
  h5.get("/pay/h5", async (req, res) => {
    const visit = await visitH5(req, res);
    if (visit) show(req, res, visit);
  });
  h5.post("/pay/h5", async (req, res) => {
    const visit = await visitH5(req, res);
    if (visit) await act(req, res, visit);
  });

  const scan = Router();
  scan.get("/pay/:prepayId", async (req, res) => show(req, res, await visitScan(req)));
  scan.post("/pay/:prepayId", async (req, res) => act(req, res, await visitScan(req)));
  scan.get("/pay/:prepayId/qr.svg", async (req, res) => {
    const { order, codeUrl } = await visitScan(req);
    if (codeUrl === undefined) throw notFound(`The order ${order.outTradeNo} is ${order.tradeType}: it has no code.`);
    res.type("image/svg+xml").set("Content-Security-Policy", "default-src 'none'").send(qrSvg(codeUrl));
  });

  return { h5, scan };
}

const isDone = ({ kind }: BuyerResult) => kind === "paid" || kind === "cancelled";

/** A page of another origin must not pay in the buyer's name. */
function refuseOtherOrigins(req: Request): void {
  if (!isOwnOrigin(req)) throw new HttpError(403, "origin_refused", "Only the payment page itself pays.");
}

function send(res: Response, status: number, html: string, back?: string): void {
  res
    .status(status)
    .set({
      "Content-Security-Policy": contentPolicy(back),
      "Cache-Control": "no-store",
      "Referrer-Policy": "same-origin",
      "X-Content-Type-Options": "nosniff",
      Vary: "Accept-Language",
    })
    .type("html")
    .send(html);
}
