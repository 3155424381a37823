import { jsonType, textType } from "../../contract/media-types.ts";

/** The part of a generated client that is the same for all. It depends only on runtimes' own functions. */
export const clientRuntime = String.raw`export class HearthRefusal extends Error {
  constructor(status, headers, body) {
    super(body?.Message ?? body?.err_msg ?? ${"`HTTP ${status}`"});
    this.name = "HearthRefusal";
    this.status = status;
    this.code = body?.code;
    this.headers = headers;
    this.body = body;
  }
}

const isDefined = ([, value]) => value !== undefined;

function contentOf(type, body) {
  if (type === "application/json") return JSON.stringify(body);
  const fields = Object.entries(body).filter(isDefined);
  if (type === "application/x-www-form-urlencoded") return new URLSearchParams(fields);
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
}

function read(response) {
  const type = response.headers.get("content-type");
  if (type === null) return undefined;
  if (${String(jsonType)}.test(type)) return response.text().then((text) => (text === "" ? undefined : JSON.parse(text)));
  return ${String(textType)}.test(type) ? response.text() : response.blob();
}

export function createHearthClient({ baseUrl, token, fetch: send = globalThis.fetch }) {
  async function call([method, path, type], { params = {}, query = {}, headers = {}, body } = {}) {
    const target = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name]));
    const search = String(new URLSearchParams(Object.entries(query).filter(isDefined)));
    const sent = new Headers(Object.entries(headers).filter(isDefined));
    // A header given for this call wins.
    const hasToken = sent.has("Authorization") || sent.has("X-Access-Token");
    const session = hasToken ? undefined : await (typeof token === "function" ? token() : token);
    if (session !== undefined) sent.set("Authorization", ${"`Bearer ${session}`"});
    if (type === "application/json" && body !== undefined && !sent.has("Content-Type")) sent.set("Content-Type", type);
    const response = await send(baseUrl.replace(/\/$/, "") + target + (search && ${"`?${search}`"}), {
      method,
      headers: sent,
      body: body === undefined ? undefined : contentOf(type, body),
    });
    const answer = { status: response.status, headers: response.headers, body: await read(response) };
    if (!response.ok) throw new HearthRefusal(answer.status, answer.headers, answer.body);
    return answer;
  }
  return Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [name, (request) => call(operation, request)]),
  );
}
`;

/** The types of that part. Global types have the prefix globalThis, since a collection may have the same name. */
export const runtimeTypes = `/** A successful answer. */
export interface HearthAnswer<Body> {
  readonly status: number;
  readonly headers: globalThis.Headers;
  readonly body: Body;
}

/** Thrown for every other answer. A 401 names the next step of the login in its header WWW-Authenticate. */
export declare class HearthRefusal extends globalThis.Error {
  readonly status: number;
  /** For programs, as in \`not_found\`; the message is for people. */
  readonly code: string | undefined;
  readonly headers: globalThis.Headers;
  readonly body: unknown;
}

export interface HearthClientOptions {
  /** The application server's address, as in http://127.0.0.1:3080. */
  readonly baseUrl: string;
  /** The session token, or what gets it for each call that has no header Authorization or X-Access-Token of its own. */
  readonly token?: string | (() => string | globalThis.Promise<string>);
  readonly fetch?: typeof globalThis.fetch;
}

export declare function createHearthClient(options: HearthClientOptions): HearthClient;
`;
