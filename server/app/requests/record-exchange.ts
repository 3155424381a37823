/** Turns an exchange into a stored row. Secrets do not get past this file. */
import { isUtf8 } from "node:buffer";
import type { OutgoingHttpHeaders } from "node:http";
import { statusPackageHeader } from "../../contract/app/status-package.ts";
import { hideKeys } from "../../contract/process/access-keys.ts";
import { contentType } from "../../http/formats/read-body.ts";
import type { CapturedBody, Exchange } from "../../http/recording/request-recorder.ts";
import { traceColumns } from "../../trace/span.ts";
import { pathOfTarget, valueIn } from "./exchange-parts.ts";
import { senderOf } from "./sender-of.ts";
import type { RequestRow } from "./store/request-rows.ts";
import type { SecretNames, SecretNamesOf } from "./secrets/secret-names.ts";
import { textFormOf, formOfAddresses, formOfQuery, replaceSecrets, type Replace } from "./secrets/secret-text.ts";
import type { SecretVault } from "./secrets/secret-vault.ts";

export interface Hiding {
  readonly secretNames: SecretNamesOf;
  readonly vault: SecretVault;
  /** The run's console token. */
  readonly consoleToken: string;
}

/** The reference that replaces the token of a session. */
export const sessionReference = (id: number) => `{{session:${String(id)}}}`;

/** The replacements for the secrets of one exchange. */
interface Secrets {
  readonly names: SecretNames;
  readonly token: string | undefined;
  readonly tokenReference: string;
  readonly consoleToken: string;
  /** Replaces a secret value. Secrets of answers are not kept. */
  readonly hide: Replace;
}

const nameOf = (name: string) => name.toLowerCase().replace(/[^\w-]/g, "_");

function secretsOf(exchange: Exchange, path: string, { secretNames, vault, consoleToken }: Hiding) {
  const { service, status = 0, notes } = exchange;
  const { session } = notes;
  const tokenReference = session ? sessionReference(session.id) : "";
  const names = secretNames(service, path);
  const common = { names, token: session?.token, tokenReference, consoleToken };
  const hiding =
    (other: Replace): Replace =>
    (name, raw, plain, quoted) => {
      const reference = session && plain === session.token ? tokenReference : other(nameOf(name), raw, plain, quoted);
      return quoted ? JSON.stringify(reference) : reference;
    };
  const request: Secrets = {
    ...common,
    hide: hiding((name, raw, _plain, quoted) => vault.keep(name, raw, quoted && !raw.startsWith('"'))),
  };
  const codeIsOfError = service === "app" || status >= 400;
  const response: Secrets = {
    ...common,
    ...(codeIsOfError && { names: { ...names, field: (name) => names.field(name) && !/^code$/i.test(name) } }),
    hide: hiding((name) => `{{${name}}}`),
  };
  return { request, response };
}

/** Hides tokens and keys where no field name reveals them: in a path, in another header, in a message. */
function withoutTokens(text: string, { token, tokenReference, consoleToken }: Secrets, isCut = false): string {
  const ofClient = token === undefined ? text : text.replaceAll(token, tokenReference);
  return hideKeys(ofClient.replaceAll(consoleToken, "{{console-token}}"), isCut);
}

const hiddenQuery = (query: string, secrets: Secrets) =>
  query === "" ? "" : withoutTokens(replaceSecrets(query, formOfQuery, secrets.names.field, secrets.hide), secrets);

const packageHeader = statusPackageHeader.toLowerCase();

function hiddenHeader(name: string, value: string, secrets: Secrets): string {
  if (name.toLowerCase() === packageHeader) {
    const json = withoutTokens(Buffer.from(value, "base64url").toString("utf8"), secrets);
    return Buffer.from(json).toString("base64url");
  }
  if (!secrets.names.header(name)) {
    if (!value.includes("=")) return value; // it holds no field of an address
    return replaceSecrets(value, formOfAddresses, secrets.names.header, secrets.hide);
  }
  const [, scheme = "", rest = value] = /^((?:Bearer|Basic|Digest|Token) +)?([^]*)$/i.exec(value) ?? [];
  return rest === "" ? value : scheme + secrets.hide(name, rest, rest, false);
}

/** No token or key needs an escape in JSON, so that all headers are searched for them at once. */
function hiddenHeaders(headers: readonly string[], secrets: Secrets): string {
  const hidden = headers.map((text, index) =>
    index % 2 === 0 ? text : hiddenHeader(headers[index - 1] ?? "", text, secrets),
  );
  return withoutTokens(JSON.stringify(hidden), secrets);
}

function flat(headers: OutgoingHttpHeaders): string[] {
  const list: string[] = [];
  for (const [name, value] of Object.entries(headers))
    if (Array.isArray(value)) for (const one of value) list.push(name, one);
    else list.push(name, String(value ?? ""));
  return list;
}

interface StoredBody {
  readonly body: string | Buffer | null;
  readonly withheld: string | null;
}

/** Drops the bytes of a character that was cut in two. */
function wholeCharacters(bytes: Buffer): Buffer {
  let at = bytes.length - 1;
  while (at >= 0 && at > bytes.length - 4 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at--;
  const lead = bytes[at] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return at + length > bytes.length ? bytes.subarray(0, at) : bytes;
}

const readable = /^text\/|^application\/(?:json|xml|x-www-form-urlencoded)|\+(?:json|xml)$/;

function hiddenBody(captured: CapturedBody, type: string, encoding: string, secrets: Secrets): StoredBody {
  if (captured.kept === 0) return { body: null, withheld: null };
  if (encoding !== "" && encoding !== "identity")
    return { body: null, withheld: `its content-encoding is ${encoding}` };
  const mediaType = contentType(type).type;
  if (mediaType === "application/x-pkcs12") return { body: null, withheld: "it holds a private key" };
  const bytes = bytesOf(captured);
  const isCut = captured.size > captured.kept;
  const hide = (text: string) =>
    withoutTokens(replaceSecrets(text, textFormOf(type, text), secrets.names.field, secrets.hide), secrets, isCut);
  if (typeof bytes === "string") return { body: hide(bytes), withheld: null };
  const whole = isCut ? wholeCharacters(bytes) : bytes;
  if (isUtf8(whole) && !whole.includes(0)) return { body: hide(whole.toString("utf8")), withheld: null };
  if (readable.test(mediaType)) return { body: null, withheld: "its text is not UTF-8" };
  return { body: Buffer.from(hide(bytes.toString("latin1")), "latin1"), withheld: null };
}

/** The text, or the bytes if it is none. */
function bytesOf({ chunks, kept }: CapturedBody): string | Buffer {
  const [first] = chunks;
  if (chunks.length === 1 && first !== undefined) return first;
  return Buffer.concat(
    chunks.map((chunk) => (typeof chunk === "string" ? Buffer.from(chunk) : chunk)),
    kept,
  );
}

function errorOf({ notes: { refusal } }: Exchange, secrets: Secrets): string | null {
  if (!refusal) return null;
  const behind = refusal.status >= 500 ? refusal.cause : undefined;
  const error = {
    code: refusal.code,
    message: refusal.message,
    ...(behind instanceof Error && behind.stack !== undefined && { stack: behind.stack }),
  };
  return withoutTokens(JSON.stringify(error), secrets);
}

/** The times of pieces are needed only where there is more than one. */
const chunksOf = ({ responseChunks = [] }: Exchange) =>
  responseChunks.length > 2 ? JSON.stringify(responseChunks) : null;

const bit = (value: boolean) => (value ? 1 : 0);

/** The row of an exchange. */
export function recordExchange(
  exchange: Exchange,
  id: number,
  { replayOf, flow }: { readonly replayOf?: number | undefined; readonly flow?: string | undefined },
  hiding: Hiding,
): RequestRow {
  const { target, requestHeaders, requestBody, responseBody, notes } = exchange;
  const path = pathOfTarget(target);
  const { request, response } = secretsOf(exchange, path, hiding);
  const responseHeaders = flat(exchange.responseHeaders);
  const sent = (name: string) => valueIn(requestHeaders, name);
  const got = (name: string) => valueIn(responseHeaders, name);
  const incoming = hiddenBody(requestBody, sent("content-type"), sent("content-encoding").toLowerCase(), request);
  const outgoing = hiddenBody(responseBody, got("content-type"), got("content-encoding").toLowerCase(), response);
  return {
    id,
    time: exchange.time,
    service: exchange.service,
    method: exchange.method,
    path: withoutTokens(path, request),
    query: hiddenQuery(target.slice(path.length + 1), request),
    status: exchange.status ?? null,
    complete: bit(exchange.complete),
    ms: exchange.ms,
    session_id: notes.session?.id ?? null,
    user_id: notes.session?.userId ?? null,
    client: exchange.client,
    request_id: withoutTokens(notes.requestId ?? "", response),
    ...traceColumns(notes.span),
    replay_of: replayOf ?? null,
    sender: senderOf(exchange),
    flow: flow ?? null,
    request_size: requestBody.size,
    response_size: responseBody.size,
    error: errorOf(exchange, response),
    faults: notes.faults ? JSON.stringify(notes.faults) : null,
    warning: notes.warning === undefined ? null : withoutTokens(notes.warning, response),
    request_headers: hiddenHeaders(requestHeaders, request),
    response_headers: hiddenHeaders(responseHeaders, response),
    request_withheld: incoming.withheld,
    response_withheld: outgoing.withheld,
    request_truncated: bit(requestBody.size > requestBody.kept),
    response_truncated: bit(responseBody.size > responseBody.kept),
    response_chunks: chunksOf(exchange),
    request_body: incoming.body,
    response_body: outgoing.body,
  };
}
