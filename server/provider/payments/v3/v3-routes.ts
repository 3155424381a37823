/**
 * Version 3 of the payment API. Each request passes the same checks in the same order: path, method, headers,
 * signature, form. Refusals before the signature check are unsigned; all other replies are signed over the bytes sent.
 */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { toHttpError } from "../../../http/conventions/error-handler.ts";
import type { HttpError } from "../../../http/http-error.ts";
import { askerOf, keptAsker } from "../../../http/outgoing/asker.ts";
import { pathOf, queryOf, type Middleware } from "../../../http/middleware.ts";
import { notesOf } from "../../../http/recording/exchange-notes.ts";
import { createPathTable } from "../../../http/path-table.ts";
import { originOf } from "../../../http/connection/peer/caller.ts";
import { below } from "../../../http/pipeline.ts";
import type { AnswerCall, CallName, CallOutcome, WireReply } from "../calls/answer-call.ts";
import { type Keys } from "../keys/keys.ts";
import { platformHeaders, type PlatformKey } from "../keys/platform-key.ts";
import type { PlatformSigner } from "../keys/platform-signer.ts";
import type { Ledger, Order } from "../ledger/ledger.ts";
import type { Merchant, Merchants } from "../merchants/merchants.ts";
import { checkHeaders, checkSignature, claimOf, type Senders } from "./authenticate-v3.ts";
import type { RecordRefused } from "../calls/record-refused.ts";
import type { Bills } from "../bills/bills.ts";
import type { ContractRow } from "../papay/contract-tables.ts";
import type { Papay } from "../papay/open-papay.ts";
import type { ProfitSharing } from "../profit-sharing/profit-sharing.ts";
import type { MerchantTransfers } from "../transfers/merchant-transfers.ts";
import { createBillFiles } from "./bill-files-v3.ts";
import { claimedCall } from "./claimed-call-v3.ts";
import { createCallsV3 } from "./calls-v3.ts";
import { readBodyOf } from "./read-upload.ts";
import { paramError, RefusalV3, toRefusalV3 } from "./refusal-v3.ts";
import { billFileQuery, readAs } from "./requests-v3.ts";
import type { PreparedCall, RequestV3, RouteV3 } from "./route-v3.ts";

export interface V3Deps {
  readonly ledger: Ledger;
  readonly merchants: Pick<Merchants, "get">;
  readonly keys: Keys;
  readonly signer: Pick<PlatformSigner, "ofReply">;
  readonly answerCall: AnswerCall;
  readonly recordRefused: RecordRefused;
  /** The calls of other products. */
  readonly productCalls: readonly RouteV3[];
  /** Where the buyer of an order for a mobile browser pays. */
  readonly payPage: (order: Order) => string;
  readonly bills: Bills;
  readonly profitSharing: ProfitSharing;
  readonly transfers: MerchantTransfers;
  readonly papay: Papay;
  /** Where a user signs a contract. */
  readonly signPage: (contract: ContractRow) => string;
  /** Unix time in ms. */
  readonly now: () => number;
}

const jsonHeaders = { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-cache, must-revalidate" };

/** Parameters of a path, still encoded. */
type Params = Readonly<Record<string, string>>;

type Serve = (req: IncomingMessage, res: ServerResponse, params: Params) => Promise<void>;

export interface V3Routes {
  readonly calls: Middleware;
  /** Answers what is left below /v3: nothing of the platform has that address and method. */
  readonly unknown: Middleware;
}

export function createV3Routes(deps: V3Deps): V3Routes {
  const { merchants, keys, signer, answerCall, recordRefused, bills, now } = deps;
  const billFiles = createBillFiles(bills, now);
  const calls = [...createCallsV3({ ...deps, billFiles }), ...deps.productCalls];
  const senders: Senders = {
    merchant: (mchId) => merchants.get(mchId),
    publicKey: (mchId, serial) => keys.merchantPublicKey(mchId, serial),
  };

  /** @throws RefusalV3 401 */
  async function authenticate(req: IncomingMessage, body: string): Promise<Merchant> {
    // Senders sign with the real time; the simulated clock may be far ahead.
    const claim = await claimOf(req.headers.authorization, senders, Date.now());
    checkSignature(claim, req.method ?? "", req.url ?? "", body);
    return claim.merchant;
  }

  async function answer(req: IncomingMessage, res: ServerResponse, params: Params, route: RouteV3): Promise<void> {
    const { text: body, file } = await readBodyOf(req, route.maxFileBytes);
    let key: PlatformKey | undefined;
    let call: PreparedCall<unknown>;
    let merchant: Merchant;
    try {
      checkHeaders(
        body === "" && route.mayLackBody ? "GET" : req.method,
        req.headers,
        route.maxFileBytes !== undefined,
      );
      merchant = await authenticate(req, body);
      key = await signer.ofReply(merchant, req.headers["wechatpay-serial"]?.toString());
      call = route.prepare({ ...toRequest(req, params, merchant, body), file });
    } catch (error) {
      if (!(error instanceof RefusalV3)) throw error;
      const reply = await refused(error, key);
      await recordRefused(claimedCall(route.name, req, params, body), reply, error.code);
      send(res, reply);
      return;
    }
    const signedBy = key;
    const { name } = route;
    const { outTradeNo, transactionId, outRefundNo } = call;
    const named = { name, outTradeNo, transactionId, outRefundNo };
    await answerCall(
      res,
      { ...named, version: "v3", mchId: merchant.mchId, method: req.method ?? "", target: req.url ?? "", body },
      { perform: (hints) => call.perform(hints), write: (outcome) => written(signedBy, name, call, outcome) },
    );
  }

  /** A file is no reply of the API: it is unsigned, but an earlier reply contained its digest. */
  async function sendBill(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const merchant = await authenticate(req, "");
    const { token } = readAs(billFileQuery, fieldsOfQuery(req), "query");
    const bytes = billFiles.take(merchant.mchId, token);
    if (!bytes) throw new RefusalV3(404, "RESOURCE_NOT_EXISTS", "The file has expired. Request the bill again.");
    res.writeHead(200, { "Content-Type": "application/octet-stream", "Content-Length": bytes.length }).end(bytes);
  }

  /** By path and method. */
  const served = Map.groupBy(calls, ({ path }) => path);
  const paths = createPathTable<ReadonlyMap<string, Serve>>(
    [
      ...[...served].map(([path, routes]): [string, ReadonlyMap<string, Serve>] => [
        path,
        new Map(routes.map((route) => [route.method, (req, res, params) => answer(req, res, params, route)])),
      ]),
      ["/v3/billdownload/file", new Map([["GET", sendBill]])],
      ["/v3/transferbilldownload/elecvoucherfile", new Map([["GET", sendBill]])],
    ],
    { decode: (text) => text },
  );

  const serveCalls: Middleware = async (req, res, next) => {
    const requestId = newRequestId();
    notesOf(res).requestId = requestId;
    res.setHeader("Request-ID", requestId);
    res.setHeader("Content-Language", "zh-CN");
    const match = paths(pathOf(req));
    const serve = match?.value.get(req.method ?? "");
    if (!match || !serve) return next();
    notesOf(res).path = match.path;
    try {
      await serve(req, res, match.params);
    } catch (error) {
      const refusal = error instanceof RefusalV3 ? error : refusalOf(toHttpError(error));
      if (!refusal || res.headersSent) throw error;
      send(res, unsigned(refusal));
    }
  };

  const answerUnknown: Middleware = (req, res) => {
    const match = paths(pathOf(req));
    if (!match) return send(res, unsigned(unknownAddress(req)));
    notesOf(res).path = match.path;
    res.writeHead(405, { Allow: [...match.value.keys()].join(", ") }).end();
  };

  return { calls: below("/v3", serveCalls), unknown: below("/v3", answerUnknown) };
}

/** Undefined for a failure of the simulator itself. */
function refusalOf({ status, code, message, details = [] }: HttpError): RefusalV3 | undefined {
  if (code === "database_unreachable") return new RefusalV3(500, "SYSTEM_ERROR", message);
  if (status === 503) return new RefusalV3(503, "SERVICE_UNAVAILABLE", message);
  if (status >= 500) return undefined;
  const [detail] = details;
  return detail
    ? paramError("body", detail.field, undefined, message)
    : new RefusalV3(status === 415 ? 415 : 400, "INVALID_REQUEST", message);
}

const unknownAddress = (req: IncomingMessage) =>
  new RefusalV3(404, "RESOURCE_NOT_EXISTS", `Hearth does not simulate ${String(req.method)} ${pathOf(req)}.`);

const newRequestId = () => `08${randomUUID().replaceAll("-", "").toUpperCase()}`;

const fieldsOfQuery = (req: IncomingMessage): Record<string, string> =>
  Object.fromEntries([...new URLSearchParams(queryOf(req))].toReversed());

/** @throws RefusalV3 PARAM_ERROR for malformed percent-encoding */
function toRequest(req: IncomingMessage, written: Params, merchant: Merchant, body: string): RequestV3 {
  const params = Object.fromEntries(
    Object.entries(written).map(([name, value]) => {
      try {
        return [name, decodeURIComponent(value)];
      } catch {
        throw paramError("uri_template", name, value, "malformed percent-encoding");
      }
    }),
  );
  const from = keptAsker(askerOf(req));
  const serial = req.headers["wechatpay-serial"]?.toString();
  return {
    merchant,
    body,
    params,
    query: fieldsOfQuery(req),
    serial,
    origin: originOf(req),
    from,
  };
}

const textOf = ({ code, message, detail }: RefusalV3) => JSON.stringify({ code, message, detail });

const unsigned = (refusal: RefusalV3): WireReply => ({
  status: refusal.status,
  headers: jsonHeaders,
  body: textOf(refusal),
});

const signed = async (key: PlatformKey, status: number, body: string): Promise<WireReply> => ({
  status,
  headers: { ...(body !== "" && jsonHeaders), ...(await platformHeaders(key, body, Date.now())) },
  body,
});

/** @param key signs the reply; none for an unauthenticated sender */
const refused = async (refusal: RefusalV3, key: PlatformKey | undefined): Promise<WireReply> =>
  key ? signed(key, refusal.status, textOf(refusal)) : unsigned(refusal);

async function written<Value>(
  key: PlatformKey,
  name: CallName,
  call: PreparedCall<Value>,
  outcome: CallOutcome<Value>,
): Promise<WireReply> {
  if (!outcome.ok) {
    const refusal = toRefusalV3(outcome.refusal, name);
    return refused(refusal, refusal.status === 401 ? undefined : key);
  }
  const view = call.view(outcome.value);
  // Like a bill, a file is unsigned.
  if (view instanceof Uint8Array)
    return { status: 200, headers: { "Content-Type": "application/octet-stream" }, body: view };
  return view === undefined ? signed(key, 204, "") : signed(key, 200, JSON.stringify(view));
}

function send(res: ServerResponse, { status, headers, body }: WireReply): void {
  res.writeHead(status, { ...headers, "Content-Length": Buffer.byteLength(body) }).end(body);
}
