/** Multipart bodies (RFC 2046). */
import { parameterIn } from "../../../../server/contract/header-parameters.ts";

/** One part. */
export interface BodyPart {
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** The form field's name; absent outside of forms. */
  readonly name: string | undefined;
  readonly fileName: string | undefined;
  readonly contentType: string | undefined;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The parts, the last one possibly truncated; undefined for other bodies. */
export function readMultipart(bytes: Uint8Array<ArrayBuffer>, contentType: string | undefined): BodyPart[] | undefined {
  const boundary = /^multipart\//i.test(contentType ?? "") ? parameterIn(contentType ?? "", "boundary") : undefined;
  if (boundary === undefined) return undefined;
  // One character per byte, so that indexes in the text are those of the bytes.
  const text = new TextDecoder("latin1").decode(bytes);
  const mark = `--${boundary}`;
  const parts: BodyPart[] = [];
  let at = text.indexOf(mark);
  while (at >= 0 && !text.startsWith("--", at + mark.length)) {
    const begin = text.indexOf("\r\n", at + mark.length) + 2;
    if (begin < 2) break;
    const next = text.indexOf(`\r\n${mark}`, begin - 2);
    const end = next < 0 ? text.length : next;
    // A part without headers begins with the empty line.
    const headEnd = text.startsWith("\r\n", begin) ? begin - 2 : text.indexOf("\r\n\r\n", begin);
    if (headEnd < 0 || headEnd > end) break;
    parts.push(partOf(decode(bytes, begin, headEnd), bytes.slice(headEnd + 4, end)));
    at = next < 0 ? -1 : next + 2;
  }
  return parts;
}

const decode = (bytes: Uint8Array, from: number, to: number) => new TextDecoder().decode(bytes.subarray(from, to));

function partOf(head: string, bytes: Uint8Array<ArrayBuffer>): BodyPart {
  const headers = head.split("\r\n").flatMap((line) => {
    const colon = line.indexOf(":");
    return colon < 1 ? [] : [{ name: line.slice(0, colon), value: line.slice(colon + 1).trimStart() }];
  });
  const valueOf = (name: string) => headers.find((header) => header.name.toLowerCase() === name)?.value;
  const disposition = valueOf("content-disposition") ?? "";
  const parameter = (name: string) => new RegExp(`;\\s*${name}="((?:[^"\\\\]|\\\\.)*)"`, "i").exec(disposition)?.[1];
  return {
    headers,
    name: parameter("name"),
    fileName: parameter("filename"),
    contentType: valueOf("content-type"),
    bytes,
  };
}
