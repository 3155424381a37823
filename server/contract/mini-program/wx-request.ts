/** How `wx.request` writes a request and reads its reply, without the network between them. */
import { parseJson } from "../parse-json.ts";

export interface RequestInput {
  readonly url: string;
  readonly method?: string | undefined;
  readonly data?: unknown;
  readonly header?: Readonly<Record<string, unknown>> | undefined;
}

export interface WrittenRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string | ArrayBuffer;
}

/** Texts stay as they are; the rest is as in JSON. */
const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

/** Members as a query; objects in it are JSON. */
export function queryText(data: object): string {
  return Object.entries(data)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(textOf(value))}`)
    .join("&");
}

function withQuery(url: string, query: string): string {
  if (query === "") return url;
  const [address = "", ...fragment] = url.split("#");
  const joint = address.includes("?") ? "&" : "?";
  return [address + joint + query, ...fragment].join("#");
}

/** The header as texts. The platform sets Referer, so a program's own is left out. */
export const headerTexts = (header: Readonly<Record<string, unknown>> = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(header)
      .filter(([name, value]) => value !== undefined && name.toLowerCase() !== "referer")
      .map(([name, value]) => [name, textOf(value)]),
  );

/** Data goes into the query of a GET, otherwise into the body: as JSON, or as a form where the content type says so. */
export function writeRequest({ url, method = "GET", data, header }: RequestInput): WrittenRequest {
  const headers = headerTexts(header);
  const typeName = Object.keys(headers).find((name) => name.toLowerCase() === "content-type");
  const type = typeName === undefined ? "application/json" : (headers[typeName] ?? "");
  if (typeName === undefined) headers["content-type"] = type;
  const written = { url, method: method.toUpperCase(), headers };
  if (data === undefined || data === null) return written;
  if (data instanceof ArrayBuffer) return { ...written, body: data };
  if (written.method === "GET" || written.method === "HEAD")
    return { ...written, url: withQuery(url, typeof data === "object" ? queryText(data) : textOf(data)) };
  if (typeof data !== "object") return { ...written, body: textOf(data) };
  return { ...written, body: /x-www-form-urlencoded/i.test(type) ? queryText(data) : JSON.stringify(data) };
}

export interface ReplyReading {
  /** `json`, the default: the text is parsed where it is JSON. */
  readonly dataType?: string | undefined;
  readonly responseType?: string | undefined;
}

/** The `data` of a reply. An empty one is "". */
export function replyData(content: Uint8Array, { dataType = "json", responseType }: ReplyReading = {}): unknown {
  if (responseType === "arraybuffer") return new Uint8Array(content).buffer;
  const text = new TextDecoder().decode(content);
  if (dataType !== "json" || text === "") return text;
  const value = parseJson(text);
  return value === undefined ? text : value;
}
