export interface JsonStyle {
  /** Spaces of indentation; 0 writes one line. */
  readonly indent: number;
  /** True writes non-ASCII characters as they are instead of as \u escapes. */
  readonly relaxed: boolean;
  /** True writes null members instead of leaving them out. */
  readonly keepsNulls?: boolean;
}

const omitNullMembers = function (this: unknown, _key: string, value: unknown) {
  return value === null && !Array.isArray(this) ? undefined : value;
};

// oxlint-disable-next-line no-control-regex -- the range is exactly ASCII
const nonAscii = /[^\u0000-\u007f]/g;
/** Counting bytes takes a fraction of the time of a search by a pattern. */
const isAscii = (text: string) => Buffer.byteLength(text) === text.length;
const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

/**
 * JSON text of a result (spec: Generic REST conventions 4): null members are omitted unless `keepsNulls`, null items of
 * arrays stay, non-ASCII is escaped unless `relaxed`. A replacer function costs several times the plain call, so it runs
 * only where a null may be.
 */
export function writeJson(value: unknown, style: JsonStyle): string {
  let text = JSON.stringify(value, undefined, style.indent);
  if (text === undefined) return "null";
  if (!style.keepsNulls && text.includes("null")) text = JSON.stringify(value, omitNullMembers, style.indent) ?? "null";
  return style.relaxed || isAscii(text) ? text : text.replace(nonAscii, escapeUnit);
}
