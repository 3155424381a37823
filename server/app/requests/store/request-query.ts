import { writeJson } from "../../../http/formats/json-writer.ts";
import { escapeXml } from "../../../http/formats/xml-writer.ts";
import { likePattern } from "../../../store/contains.ts";
import type { RequestSummaryRow } from "./request-rows.ts";

/** A column, and the number of rows to skip. */
export interface RequestOrder {
  readonly name: "time" | "service" | "method" | "path" | "status" | "ms" | "response_size";
  readonly descending: boolean;
  readonly offset: number;
}

/** Selects recorded requests. All conditions must hold. */
export interface RequestQuery {
  readonly methods?: readonly string[] | undefined;
  /** Ranges of statuses, both ends included; null stands for requests that were never answered. */
  readonly statuses?: readonly (readonly [from: number, to: number] | null)[] | undefined;
  readonly service?: string | undefined;
  readonly sender?: string | undefined;
  readonly flow?: string | undefined;
  readonly trace?: string | undefined;
  /** Whether it failed: refused, an error, cut off or unanswered. */
  readonly failed?: boolean | undefined;
  readonly sessionId?: number | undefined;
  readonly userId?: number | undefined;
  /** Text in path, query, headers or bodies; ignores the case of ASCII letters. */
  readonly text?: string | undefined;
  /** Unix ms, inclusive. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Ids, exclusive. */
  readonly after?: number | undefined;
  readonly before?: number | undefined;
  /** A further test on the rows that fulfil all other conditions. */
  readonly accept?: (rows: readonly RequestSummaryRow[]) => RequestSummaryRow[];
  /** Order of the found rows; without it the newest come first. */
  readonly order?: RequestOrder | undefined;
  readonly limit: number;
}

/** Encodes a text as browsers do in an address: a few signs stay unencoded. */
const inAddress = (text: string) => encodeURI(text).replace(/%(?:25|5[B-E]|60|7[B-D])/g, decodeURIComponent);

/** The forms of a text in a request: literal, in JSON and in XML as they are or all ASCII, in addresses and forms. */
function formsOf(text: string): string[] {
  const ways = [true, false];
  const inJson = ways.map((relaxed) => writeJson(text, { indent: 0, relaxed }).slice(1, -1));
  const inXml = ways.map((relaxed) => escapeXml(text, relaxed));
  const inForm = new URLSearchParams([["", text]]).toString().slice(1);
  const inAddresses = [inAddress(text), encodeURI(text), encodeURIComponent(text)];
  return [...new Set([text, ...inJson, ...inXml, ...inAddresses, inForm])];
}

const searched = [
  ...["path", "query", "error", "request_headers", "response_headers"],
  // Bytes are no text.
  ...["request_body", "response_body"].map((body) => `iif(typeof(${body}) = 'text', ${body}, null)`),
];

/** Whether a row failed: refused, an error, cut off or unanswered. */
export const hasFailed = "(status is null or status >= 400 or complete = 0)";

/** The conditions apart from the range of ids, to follow a `where`, with their values. */
export function conditionsOf(query: RequestQuery): { conditions: string; values: (string | number)[] } {
  const conditions: string[] = [];
  const values: (string | number)[] = [];
  const add = (condition: string, ...parameters: (string | number)[]) => {
    conditions.push(condition);
    values.push(...parameters);
  };
  const { methods, statuses, service, sender, flow, trace, failed, sessionId, userId, text, since, until } = query;
  if (methods) add(`method in (${methods.map(() => "?").join(", ")})`, ...methods);
  if (statuses)
    add(
      `(${statuses.map((range) => (range ? "status between ? and ?" : "status is null")).join(" or ")})`,
      ...statuses.flatMap((range) => range ?? []),
    );
  if (service !== undefined) add("service = ?", service);
  if (sender !== undefined) add("sender = ?", sender);
  if (flow !== undefined) add("flow = ?", flow);
  if (trace !== undefined) add("trace_id = ?", trace);
  if (failed !== undefined) add(failed ? hasFailed : `not ${hasFailed}`);
  if (sessionId !== undefined) add("session_id = ?", sessionId);
  if (userId !== undefined) add("user_id = ?", userId);
  if (since !== undefined) add("time >= ?", since);
  if (until !== undefined) add("time < ?", until);
  if (text !== undefined && text !== "") {
    const patterns = formsOf(text).map(likePattern);
    const hits = searched.flatMap((column) => patterns.map(() => `${column} like ? escape '\\'`));
    add(`(${hits.join(" or ")})`, ...searched.flatMap(() => patterns));
  }
  return { conditions: conditions.map((one) => ` and ${one}`).join(""), values };
}
