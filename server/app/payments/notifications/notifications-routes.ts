/** The receiver of the provider's notifications. A reply has the form of the notification's version. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { refusalHeader } from "../../../contract/app/hearth-headers.ts";
import type { NotificationRefusal } from "../../../contract/app/notification-reasons.ts";
import type { PayWire } from "../../../contract/provider/payment-terms.ts";
import {
  createPaymentNotification,
  createRefundNotification,
  maxNotificationBytes,
} from "../../../contract/app/payment-endpoints.ts";
import { contentType, readPlainBytes } from "../../../http/formats/read-body.ts";
import type { RefusalForm } from "../../../http/middleware.ts";
import { notesOf } from "../../../http/recording/exchange-notes.ts";
import { route, type CallContext, type Route } from "../../../http/route.ts";
import { writeXmlV2 } from "../../../payment-wire/xml-v2.ts";
import { notificationVersion } from "../provider/notification-version.ts";
import type { NotificationAnswer, Receiver } from "./receive-notification.ts";

/** 503: send it again. 400: unreadable, or not from the provider. 409: it contradicts this order. */
const statuses: Readonly<Record<NotificationRefusal, 400 | 403 | 404 | 409 | 503>> = {
  too_long: 400,
  malformed: 400,
  bad_signature: 400,
  signature_probe: 400,
  expired_timestamp: 400,
  unknown_serial: 400,
  undecryptable: 400,
  wrong_kind: 400,
  foreign: 403,
  unknown_order: 404,
  unknown_refund: 404,
  amount_mismatch: 409,
  held: 409,
  transaction_mismatch: 409,
  contradiction: 409,
  not_paid: 503,
  not_found: 503,
  query_failed: 503,
  unfinished: 503,
  busy: 503,
  keys_unavailable: 503,
  not_configured: 503,
};

/**
 * A body that is no message is answered 400 in version 2, too; all other refusals carry their status in the body (our
 * choice).
 */
const unreadable = new Set<NotificationRefusal>(["too_long", "malformed"]);

interface WireAnswer {
  readonly status: number;
  readonly type: "text/xml" | "application/json" | "text/plain";
  readonly body: string;
}

const forms: Readonly<Record<PayWire, (code: "SUCCESS" | "FAIL", text?: string) => Omit<WireAnswer, "status">>> = {
  v2: (code, text = "OK") => ({ type: "text/xml", body: writeXmlV2({ return_code: code, return_msg: text }) }),
  v3: (code, text) => ({ type: "application/json", body: JSON.stringify({ code, message: text }) }),
  // The whole answer is one word.
  alipay: (code) => ({ type: "text/plain", body: code.toLowerCase() }),
};

const inForm = (version: PayWire, status: number, code: "SUCCESS" | "FAIL", text?: string): WireAnswer => ({
  status,
  ...forms[version](code, text),
});

function wireAnswer(answer: NotificationAnswer, version: PayWire): WireAnswer {
  if (answer.accepted) return inForm(version, 200, "SUCCESS");
  const { reason, text } = answer;
  if (version !== "v2") return inForm(version, statuses[reason], "FAIL", text);
  // Version 2 has a short text for a wrong signature.
  return inForm(version, unreadable.has(reason) ? 400 : 200, "FAIL", reason === "bad_signature" ? "sign" : text);
}

/** The content types of known senders, and none. The first character decides where they do not. */
const supportedTypes =
  /^(?:$|text\/plain$|application\/octet-stream$|(?:text|application)\/(?:[\w.-]+\+)?(?:xml|json)$)/;
const formType = /^application\/x-www-form-urlencoded\b/i;
const encodings = [undefined, "utf-8", "utf8", "us-ascii"];

function send(res: ServerResponse, { status, type, body }: WireAnswer): void {
  res.statusCode = status;
  res.setHeader("Content-Type", `${type}; charset=utf-8`);
  res.setHeader("Content-Length", Buffer.byteLength(body));
  if (status === 503 && !res.hasHeader("Retry-After")) res.setHeader("Retry-After", 15);
  res.end(body);
}

/** @param isOfAlipay whether Alipay notifies here, by forms; otherwise none is taken */
export function notificationsRoutes(receiver: Receiver, isOfAlipay: boolean): Route[] {
  const versionOf = (body: Buffer, type: string | undefined): PayWire =>
    isOfAlipay && formType.test(type ?? "") ? "alipay" : notificationVersion(body, type);

  /** Its body may not have been read, so only the content type tells the version. */
  const refuseNotification: RefusalForm = ({ Message }, status, { req, res }) => {
    send(res, inForm(versionOf(Buffer.alloc(0), req.headers["content-type"]), status, "FAIL", Message));
    return undefined;
  };

  async function answer(
    req: IncomingMessage,
    res: ServerResponse,
    receive: (version: PayWire, body: Buffer) => Promise<NotificationAnswer>,
  ): Promise<WireAnswer> {
    const { type, charset } = contentType(req.headers["content-type"]);
    const body = await readPlainBytes(req, maxNotificationBytes);
    const version = versionOf(body, req.headers["content-type"]);
    const isSupported = supportedTypes.test(type) || version === "alipay";
    if (!isSupported || !encodings.includes(charset))
      return inForm(
        version,
        415,
        "FAIL",
        isOfAlipay ? "send a form in UTF-8" : "send application/xml or application/json in UTF-8",
      );
    const result = await receive(version, body);
    if (result.outTradeNo !== undefined) notesOf(res).order = result.outTradeNo;
    if (!result.accepted) res.setHeader(refusalHeader, result.reason);
    return wireAnswer(result, version);
  }

  const receive =
    (kind: keyof Receiver) =>
    async (_input: unknown, { req, res }: CallContext) => {
      send(res, await answer(req, res, (version, body) => receiver[kind](version, body, req.headers)));
      return { sent: true } as const;
    };

  return [
    route(createPaymentNotification, receive("payment"), refuseNotification),
    route(createRefundNotification, receive("refund"), refuseNotification),
  ];
}
