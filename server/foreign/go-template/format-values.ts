/** Values as Go's fmt writes them, by the verbs of printf. */
import { printFloat, formatInteger, padText, quotedString, type Flags } from "./format-numbers.ts";
import {
  GoByte,
  GoMap,
  GoPointer,
  GoSlice,
  GoStruct,
  isComposite,
  sortedEntries,
  goTypeName,
  type GoComposite,
  type GoValue,
} from "./go-values.ts";

const textVerbs = "vsqxX";

/** A value that its verb cannot write: `%!d(string=hi)`. */
const mistaken = (value: GoValue, verb: string, flags: Flags) =>
  `%!${verb}(${goTypeName(value)}=${printValue(value, "v", { ...flags, sharp: false, plain: true })})`;

function formatText(text: string, verb: string, flags: Flags): string | undefined {
  const { precision } = flags;
  const cut = precision === undefined ? text : [...text].slice(0, precision).join("");
  switch (verb) {
    case "v":
    case "s":
      return padText(cut, flags);
    case "q":
      return padText(flags.sharp === true && !/[`\p{Cc}]/u.test(cut) ? `\`${cut}\`` : quotedString(cut), flags);
    case "x":
      return padText(Buffer.from(cut).toString("hex"), flags);
    case "X":
      return padText(Buffer.from(cut).toString("hex").toUpperCase(), flags);
    default:
      return undefined;
  }
}

/** `isNested`: within another value, where pointers are addresses, which no two runs share. */
function formatComposite(value: GoComposite, verb: string, flags: Flags, isNested: boolean): string {
  const part = (inner: GoValue) => (inner === null ? "<nil>" : printValue(inner, verb, flags, true));
  if (value instanceof GoSlice) return `[${value.items.map(part).join(" ")}]`;
  if (value instanceof GoMap)
    return `map[${sortedEntries(value)
      .map(([key, inner]) => `${part(key)}:${part(inner)}`)
      .join(" ")}]`;
  if (value instanceof GoStruct) {
    const fields = [...value.fields].map(([name, inner]) =>
      flags.named === true ? `${name}:${part(inner)}` : part(inner),
    );
    return `{${fields.join(" ")}}`;
  }
  if (isNested && verb !== "v") return mistaken(value, verb, flags);
  if (value.target === undefined) return "<nil>";
  return isNested ? "0xc000000000" : `&${printValue(value.target, verb, flags, true)}`;
}

/** The value in Go's syntax, for `%#v`. */
function goSyntax(value: GoValue): string {
  if (value instanceof GoSlice)
    return value.isNil ? `${value.type.name}(nil)` : `${value.type.name}{${value.items.map(goSyntax).join(", ")}}`;
  if (value instanceof GoMap) {
    const entries = sortedEntries(value).map(([key, inner]) => `${quotedString(key)}:${goSyntax(inner)}`);
    return value.isNil ? `${value.type.name}(nil)` : `${value.type.name}{${entries.join(", ")}}`;
  }
  if (value instanceof GoStruct)
    return `${value.type.name}{${[...value.fields].map(([name, inner]) => `${name}:${goSyntax(inner)}`).join(", ")}}`;
  if (value instanceof GoPointer)
    return value.target === undefined ? `(${value.type.name})(nil)` : `&${goSyntax(value.target)}`;
  if (value instanceof GoByte) return `0x${value.value.toString(16)}`;
  if (value === null || value === undefined) return "interface {}(nil)";
  return typeof value === "string" ? quotedString(value) : printValue(value, "v", {});
}

export function printValue(value: GoValue, verb: string, flags: Flags, isNested = false): string {
  if (verb === "T") return padText(goTypeName(value), flags);
  if (value === null || value === undefined) return verb === "v" ? padText("<nil>", flags) : `%!${verb}(<nil>)`;
  if (verb === "v" && flags.sharp === true) return padText(goSyntax(value), flags);
  if (isComposite(value)) {
    const isText = value.type.text !== undefined && flags.plain !== true && textVerbs.includes(verb);
    if (!isText) return formatComposite(value, verb, flags, isNested);
    return formatText(value.type.text?.(value) ?? "", verb, flags) ?? "";
  }
  return formatBasic(value, verb, flags) ?? mistaken(value, verb, flags);
}

function formatBasic(
  value: string | boolean | bigint | number | GoByte,
  verb: string,
  flags: Flags,
): string | undefined {
  if (typeof value === "string") return formatText(value, verb, flags);
  if (typeof value === "boolean") return verb === "v" || verb === "t" ? padText(String(value), flags) : undefined;
  if (typeof value === "number") return printFloat(value, verb, flags);
  return formatInteger(value instanceof GoByte ? BigInt(value.value) : value, verb, flags);
}

/** Print: blanks only between operands of which neither is a text. */
export function sprint(values: readonly GoValue[]): string {
  let text = "";
  for (const [at, value] of values.entries()) {
    const needsBlank = at > 0 && typeof value !== "string" && typeof values[at - 1] !== "string";
    text += (needsBlank ? " " : "") + printValue(value, "v", {});
  }
  return text;
}

export const sprintln = (values: readonly GoValue[]) =>
  `${values.map((value) => printValue(value, "v", {})).join(" ")}\n`;
