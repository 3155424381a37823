import type { IncomingMessage, ServerResponse } from "node:http";
import Negotiator from "negotiator";
import { wantsMinimal } from "./conditional.ts";
import { endTogether } from "./end-together.ts";
import type { EndpointSpec } from "../../contract/endpoint.ts";
import { refuse } from "../http-error.ts";
import { writeJson, type JsonStyle } from "../formats/json-writer.ts";
import { varyBy } from "./vary.ts";
import { writeXml, type XmlGuide } from "../formats/xml-writer.ts";

const offered = ["application/json", "application/xml", "text/xml"];
const acceptsJson = new Set(["*/*", "application/json", "application/json, text/plain, */*"]);
const namesNothing = /^[\s,]*$/;

/** Accept without parameters such as a charset: each type is written in one form only. */
const withoutParameters = (accept: string) =>
  accept
    .split(",")
    .map((range) => {
      const [type = "", ...parameters] = range.split(";");
      return [type, ...parameters.filter((one) => /^\s*q\s*=/i.test(one))].join(";");
    })
    .join(",");

export type Format = "json" | "application/xml" | "text/xml";

/** The format for Accept; JSON when it allows anything. Undefined when it allows no supported one. */
function acceptedFormat(req: IncomingMessage): Format | undefined {
  const { accept } = req.headers;
  if (accept === undefined || acceptsJson.has(accept) || namesNothing.test(accept)) return "json";
  const best = new Negotiator({ headers: { accept: withoutParameters(accept) } }).mediaType(offered);
  if (best === undefined) return undefined;
  return best === "application/json" ? "json" : (best as Format);
}

/**
 * The format for Accept, JSON when it allows no supported one. The answer varies by Accept whatever its length, because
 * a 304 does not know the length of the full answer.
 * @throws HttpError 406 instead of that JSON if a success of the operation has a body that the client could not read
 */
export function formatFor(req: IncomingMessage, res: ServerResponse, spec?: EndpointSpec): Format {
  varyBy(res, "Accept", "Accept-Encoding");
  const format = acceptedFormat(req);
  const hasMinimal = spec?.alsoAnswers?.includes(204) === true && wantsMinimal(req);
  if (format === undefined && spec && requiresFormat(spec) && !hasMinimal) throw refuse("accept.format");
  return format ?? "json";
}

/** Whether a success with this status has no body. */
export const isBodyless = (status: number) => status === 204 || status === 202 || (status >= 300 && status < 400);

/** Whether a success is in the format that Accept must name; an upload result is JSON unless it names XML. */
export const requiresFormat = ({ produces, flat, anyForm, status }: EndpointSpec) =>
  !produces && !flat && !anyForm && !isBodyless(status);

/**
 * A body as JSON or XML. `?pretty` in the query asks for an indentation of 2.
 * @param guide Makes the body one that is read as the same value when it is sent back
 */
export function textOfBody(
  req: IncomingMessage,
  body: unknown,
  format: Format,
  style: JsonStyle,
  guide?: XmlGuide,
): string {
  const indent = style.indent === 0 && /[?&]pretty(?:[=&]|$)/.test(req.url ?? "") ? 2 : style.indent;
  if (format !== "json") return writeXml(body, style, guide);
  return writeJson(body, { ...style, indent, ...(guide && { keepsNulls: true }) });
}

/** Sends a body as JSON or XML. */
export function sendBody(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  body: unknown,
  format: Format,
  style: JsonStyle,
  guide?: XmlGuide,
): void {
  const text = textOfBody(req, body, format, style, guide);
  res.statusCode = status;
  res.setHeader("Content-Type", `${format === "json" ? "application/json" : format}; charset=utf-8`);
  // Escaped text is ASCII, which Node writes much faster as Latin-1 than as UTF-8; the bytes are the same.
  const encoding = style.relaxed ? "utf8" : "latin1";
  res.setHeader("Content-Length", Buffer.byteLength(text, encoding));
  endTogether(res, text, encoding);
}
