/**
 * Alipay's gateway. Every call passes the same checks in the same order: form, app, sender, method, content. The status
 * is always 200; the members of the reply report errors. A call of the buyer's browser is answered by pages instead.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { BusMessage } from "../../../contract/console/traffic/events.ts";
import type { AlipayParams } from "../../../payment-wire/sign-alipay.ts";
import { pathOf, type Middleware } from "../../../http/middleware.ts";
import { askerOf, keptAsker } from "../../../http/outgoing/asker.ts";
import { originOf } from "../../../http/connection/peer/caller.ts";
import { isBelow } from "../../../http/pipeline.ts";
import { notesOf } from "../../../http/recording/exchange-notes.ts";
import type { AnswerCall, CallOutcome, PaymentCall, WireReply } from "../calls/answer-call.ts";
import type { RecordRefused } from "../calls/record-refused.ts";
import { textsFor } from "../buyer/page-texts.ts";
import { refusedPage } from "../buyer/page-html.ts";
import type { AlipayKeys } from "./alipay-keys.ts";
import { alipayAccount } from "./alipay-account.ts";
import type { CallAlipay, PreparedAlipay } from "./call-alipay.ts";
import { checkAlipayApp, checkAlipaySender, readBizContent, readParams } from "./read-request.ts";
import { RefusalAlipay, toRefusalAlipay } from "./refusal-alipay.ts";
import { refusedReply, signedReply, unsignedReply, type ReplySigner } from "./write-reply.ts";

interface Deps {
  readonly alipayKeys: Pick<AlipayKeys, "own">;
  readonly answerCall: AnswerCall;
  readonly recordRefused: RecordRefused;
  readonly alipayCalls: readonly CallAlipay[];
  /** Receives the event of each operation when it is first called. */
  readonly publish: (event: BusMessage<"provider.not_simulated">) => void;
  /** Receives internal errors of the simulator; callers get aop.unknow-error. */
  readonly onError: (error: unknown) => void;
}

const gatewayPath = "/gateway.do";

/** Names of methods, also of those that are not simulated. */
const isMethod = (method: string) => /^(?:[a-z][\w-]*\.){2,}[\w-]+$/.test(method);

export function createGateway({
  alipayKeys,
  answerCall,
  recordRefused,
  alipayCalls,
  publish,
  onError,
}: Deps): Middleware {
  const calls = new Map(alipayCalls.map((call) => [call.method, call]));
  const missing = new Set<string>();

  /** @throws RefusalAlipay */
  function notSimulated(method: string, res: ServerResponse): never {
    if (!isMethod(method)) throw new RefusalAlipay("isv.invalid-method", "不存在的方法名");
    const message = `Hearth does not simulate ${method}.`;
    notesOf(res).refusal = { status: 501, code: "not_simulated", message };
    const data = { method: "POST", path: `${gatewayPath}?method=${method}`, product: "Alipay" };
    if (!missing.has(method)) publish({ type: "provider.not_simulated", source: "/provider", data });
    missing.add(method);
    throw new RefusalAlipay("NOT_SIMULATED", message);
  }

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { params, body } = await readParams(req);
    const { method = "" } = params;
    const call = calls.get(method);
    const claimed = call && claimedCall(call, req, params, body);
    const refuse = async (refusal: RefusalAlipay, reply: WireReply) => {
      if (claimed) await recordRefused(claimed, reply, refusal.subCode);
      if (call?.isPage) sendPage(req, res, refusal);
      else send(res, reply);
    };
    const unknown = await refusalOf(() => checkAlipayApp(params));
    if (unknown) return refuse(unknown, unsignedReply(method, unknown));
    const signer = { own: await alipayKeys.own(), byCertificate: Boolean(params["app_cert_sn"]) };
    let prepared: PreparedAlipay<unknown> | undefined;
    const refusal = await refusalOf(() => {
      checkAlipaySender(params, signer.own);
      if (!call) return notSimulated(method, res);
      const sender = { origin: originOf(req), from: keptAsker(askerOf(req)) };
      prepared = call.prepare({ params, content: readBizContent(params), ...sender });
    });
    if (refusal) return refuse(refusal, await refusedReply(signer, call?.refusedAs ? undefined : method, refusal));
    if (call && claimed && prepared) await perform(req, res, { call, claimed, prepared, signer });
  }

  function perform(req: IncomingMessage, res: ServerResponse, { call, claimed, prepared, signer }: Verified) {
    const { outTradeNo, transactionId, outRefundNo } = prepared;
    return answerCall(
      res,
      { ...claimed, outTradeNo, transactionId, outRefundNo },
      {
        perform: (hints) => prepared.perform(hints),
        write: (outcome: CallOutcome<unknown>) => written(req, { call, prepared, signer }, outcome),
      },
    );
  }

  return async (req, res, next) => {
    const path = pathOf(req);
    if (isBelow("/v3/alipay", path)) return sendV3(res, `Hearth does not simulate ${String(req.method)} ${path}.`);
    if (path !== gatewayPath) return next();
    notesOf(res).path = gatewayPath;
    try {
      await answer(req, res);
    } catch (error) {
      if (!(error instanceof RefusalAlipay)) onError(error);
      const refusal = error instanceof RefusalAlipay ? error : new RefusalAlipay("aop.unknow-error", "系统繁忙");
      if (!res.headersSent) send(res, unsignedReply(undefined, refusal));
    }
  };
}

interface Verified {
  readonly call: CallAlipay;
  readonly claimed: PaymentCall;
  readonly prepared: PreparedAlipay<unknown>;
  readonly signer: ReplySigner;
}

/** The refusal that the checks throw; undefined if they pass. */
async function refusalOf(check: () => void): Promise<RefusalAlipay | undefined> {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof RefusalAlipay) return error;
    throw error;
  }
}

async function written(
  req: IncomingMessage,
  { call, prepared, signer }: Pick<Verified, "call" | "prepared" | "signer">,
  outcome: CallOutcome<unknown>,
): Promise<WireReply> {
  if (!outcome.ok) {
    const refusal = toRefusalAlipay(outcome.refusal, call.name);
    if (call.isPage) return pageReply(req, refusal);
    return refusedReply(signer, call.refusedAs ? undefined : call.method, refusal);
  }
  const page = prepared.page?.(outcome.value);
  if (page !== undefined) return { status: 302, headers: { Location: page }, body: "" };
  return signedReply(signer, call.method, prepared.view(outcome.value));
}

/** The call as it claims to be: its signature is not verified yet. */
function claimedCall(call: CallAlipay, req: IncomingMessage, params: AlipayParams, body: string): PaymentCall {
  const named = membersOf(params["biz_content"]);
  const text = (name: string) => (typeof named[name] === "string" && named[name] !== "" ? named[name] : undefined);
  return {
    name: call.name,
    version: "alipay",
    mchId: alipayAccount.sellerId,
    outTradeNo: text("out_trade_no"),
    transactionId: text("trade_no"),
    method: req.method ?? "",
    target: req.url ?? "",
    body,
  };
}

function membersOf(content = ""): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(content);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** What a buyer's browser shows where the gateway refuses. */
const pageReply = (req: IncomingMessage, { subCode, message }: RefusalAlipay): WireReply => {
  const { html, policy } = refusedPage(textsFor(req.headers["accept-language"]), subCode, message);
  const headers = { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy };
  return { status: 400, headers: { ...headers, "Cache-Control": "no-store", Vary: "Accept-Language" }, body: html };
};

const sendPage = (req: IncomingMessage, res: ServerResponse, refusal: RefusalAlipay) =>
  send(res, pageReply(req, refusal));

/** The protocol that came after the gateway. */
function sendV3(res: ServerResponse, message: string): void {
  notesOf(res).refusal = { status: 501, code: "not_simulated", message };
  const body = JSON.stringify({ code: "NOT_SIMULATED", message });
  send(res, { status: 501, headers: { "Content-Type": "application/json; charset=utf-8" }, body });
}

function send(res: ServerResponse, { status, headers, body }: WireReply): void {
  res.writeHead(status, { ...headers, "Content-Length": String(Buffer.byteLength(body)) }).end(body);
}
