/**
 * Version 2 of the payment API. Every call passes the same checks in the same order: method, bytes, XML, merchant,
 * signature, app, fields. The status is always 200; the reply's fields report errors.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { isPaymentHost } from "../../../contract/platform-hosts.ts";
import type { SimPaymentSettings } from "../../../contract/provider/provider.ts";
import { pathOf, type Middleware } from "../../../http/middleware.ts";
import { notesOf } from "../../../http/recording/exchange-notes.ts";
import { createPathTable, withoutSlash } from "../../../http/path-table.ts";
import { isBelow } from "../../../http/pipeline.ts";
import type { AnswerCall, PaymentCall, CallOutcome, WireReply } from "../calls/answer-call.ts";
import type { RecordRefused } from "../calls/record-refused.ts";
import { PaymentRefusal } from "../ledger/ledger.ts";
import { refusal } from "../ledger/refusals.ts";
import type { Keys } from "../keys/keys.ts";
import type { Merchants } from "../merchants/merchants.ts";
import { billFailure } from "./bill-call.ts";
import { filledField, type CallV2 } from "./call-v2.ts";
import { callsV2, type CallDepsV2 } from "./calls-v2.ts";
import { refuseCertificate } from "./client-certificate.ts";
import { malformedField, missingField, unknownField } from "./field-rules.ts";
import {
  authenticate,
  readMessageV2,
  readQueryV2,
  RefusedRequest,
  type MessageV2,
  type RequestV2,
} from "./read-request.ts";
import { holdReply, sandboxHints, sandboxKeyPaths, sandboxKeyReply, sandboxPrefixes } from "./sandbox.ts";
import { communicationFailure, failureReply, successReply, unsignedFailure } from "./write-reply.ts";

export interface V2Deps extends CallDepsV2 {
  readonly merchants: Pick<Merchants, "get" | "knowsApp">;
  readonly keys: Pick<Keys, "certified">;
  readonly settings: () => Pick<SimPaymentSettings, "commonErrorsAsErrCode" | "requireClientCert">;
  readonly answerCall: AnswerCall;
  readonly recordRefused: RecordRefused;
  /** Receives internal errors of the simulator; callers get SYSTEMERROR. */
  readonly onError: (error: unknown) => void;
}

export function createV2Routes(deps: V2Deps): Middleware {
  const { merchants, keys, settings, answerCall, recordRefused, onError } = deps;
  const handlers = new Map<string, (req: IncomingMessage, res: ServerResponse) => Promise<void>>();

  function refused(error: unknown, callName?: string): WireReply {
    if (!(error instanceof RefusedRequest)) {
      onError(error);
      return callName === "downloadbill" ? billFailure(refusal("SYSTEMERROR")) : communicationFailure("系统超时");
    }
    const { refusal: why, sender, common } = error;
    if (callName === "downloadbill") return billFailure(why);
    if (common && !settings().commonErrorsAsErrCode) return communicationFailure(why.message);
    return sender ? failureReply(sender, why) : unsignedFailure(why);
  }

  async function answer<Value>(
    call: CallV2<Value>,
    claimed: PaymentCall,
    request: RequestV2,
    req: IncomingMessage,
    res: ServerResponse,
  ): Promise<void> {
    await answerCall(res, claimed, {
      async perform(hints) {
        if (!request.sender.sandbox) return call.perform(request, hints);
        try {
          return await call.perform(request, sandboxHints(req, request, hints));
        } finally {
          await holdReply(req, res);
        }
      },
      write: (outcome) => written(call, request, outcome),
    });
  }

  function mount<Value>(call: CallV2<Value>): void {
    for (const prefix of call.withoutSandbox ? [""] : ["", ...sandboxPrefixes])
      for (const path of prefix === "" ? call.paths : [...call.paths, ...(call.sandboxPaths ?? [])])
        handlers.set(`${prefix}${path}`, async (req, res) => {
          let claimed: PaymentCall | undefined;
          try {
            const message = call.inQuery ? readQueryV2(req) : await readMessageV2(req);
            claimed = claimedCall(call.name, req, message);
            const isAsked = call.needsCertificate && settings().requireClientCert;
            const refusal = isAsked ? await refuseCertificate(req, claimed.mchId, keys) : undefined;
            if (refusal) {
              await recordRefused(claimed, refusal.reply, refusal.code);
              return send(res, refusal.reply);
            }
            const request = await authenticate(message, { ...call, merchants, sandbox: prefix !== "" });
            checkFields(call, request);
            await answer(call, claimed, request, req, res);
          } catch (error) {
            const reply = refused(error, call.name);
            if (claimed && error instanceof RefusedRequest) await recordRefused(claimed, reply, error.refusal.code);
            if (!res.headersSent) send(res, reply);
          }
        });
  }

  for (const call of callsV2(deps)) mount(call);
  for (const path of sandboxKeyPaths)
    handlers.set(path, async (req, res) => {
      send(res, await sandboxKeyReply(req, merchants).catch((error: unknown) => refused(error)));
    });
  const find = createPathTable(handlers, { ignoreCase: true });
  return (req, res, next) => {
    const match = find(withoutSlash(pathOf(req)));
    if (!match) return next();
    notesOf(res).path = match.path;
    return match.value(req, res);
  };
}

/** The call as it claims to be: its signature is not verified yet. */
function claimedCall(name: PaymentCall["name"], req: IncomingMessage, { fields, body }: MessageV2): PaymentCall {
  return {
    name,
    version: "v2",
    mchId: fields["mch_id"] ?? "",
    outTradeNo: filledField(fields, "out_trade_no"),
    transactionId: filledField(fields, "transaction_id"),
    outRefundNo: filledField(fields, "out_refund_no"),
    method: req.method ?? "",
    target: req.url ?? "",
    body,
  };
}

/** @throws RefusedRequest */
function checkFields<Value>(call: CallV2<Value>, request: RequestV2): void {
  const { fields, sender } = request;
  const unknown = unknownField(fields, call.rules);
  if (unknown !== undefined)
    throw new RefusedRequest(refusal(call.missing, `不识别的参数${unknown}`), { sender: undefined, common: true });
  const missing = missingField(fields, call.rules) ?? call.alsoMissing?.(fields);
  if (missing !== undefined)
    throw new RefusedRequest(refusal(call.missing, `缺少参数${missing}`), { sender, common: true });
  const malformed = malformedField(fields, call.rules);
  if (malformed !== undefined) throw new RefusedRequest(refusal(call.malformed, malformed), { sender, common: false });
  try {
    call.check?.(request);
  } catch (error) {
    throw error instanceof PaymentRefusal ? new RefusedRequest(error, { sender, common: false }) : error;
  }
}

/** The ledger's codes that version 2 does not have. */
const renamed: Readonly<Record<string, string>> = { OPENID_MISMATCH: "INVALID_REQUEST" };

function written<Value>(call: CallV2<Value>, request: RequestV2, outcome: CallOutcome<Value>): WireReply {
  if (call.write) return call.write(outcome, request);
  if (outcome.ok) return successReply(request.sender, call.reply(outcome.value, request));
  const { code, message } = outcome.refusal;
  const why = new PaymentRefusal(renamed[code] ?? code, message);
  return failureReply(request.sender, why, call.refused?.(why));
}

/** Where the platform's payment addresses of version 2 lie, besides those of its host alone. */
const roots = [
  "/pay",
  "/payitil",
  "/secapi",
  "/mmpaymkttransfers",
  "/papay",
  "/risk",
  "/tools",
  "/deposit",
  ...sandboxPrefixes,
];

/** Answers an address that neither the platform nor the simulator has, in the form that callers of version 2 read. */
export const unknownAddressV2: Middleware = (req, res, next) => {
  const path = pathOf(req);
  if (!roots.some((root) => isBelow(root, path)) && !isPaymentHost(req.headers.host)) return next();
  send(res, communicationFailure(`Hearth does not simulate ${String(req.method)} ${path}`));
};

function send(res: ServerResponse, { status, headers, body }: WireReply): void {
  res.writeHead(status, { ...headers, "Content-Length": String(Buffer.byteLength(body)) }).end(body);
}
