/** Reads items out of a pasted text or a file: JSON, JSON lines or CSV. */
import { parseExactJson } from "../../../../server/contract/exact-json.ts";
import { isObject } from "../../../../server/contract/is-object.ts";
import { ownFields } from "../../../../server/contract/app/resources.ts";

export type RowFormat = "JSON" | "NDJSON" | "CSV";
export type FileRow = Readonly<Record<string, unknown>>;
export interface Rows {
  readonly format: RowFormat;
  readonly rows: readonly FileRow[];
}

/** Fields that the server writes. */
const own = new Set(Object.keys(ownFields));

/** The items without the fields that the server writes; undefined for a text that holds none. */
export function readRows(text: string): Rows | undefined {
  const found = jsonRows(text) ?? lineRows(text) ?? csvRows(text);
  if (!found || found.rows.length === 0) return undefined;
  const rows = found.rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !own.has(name))));
  return { format: found.format, rows };
}

/** A whole number that would be rounded stays text, as in CSV. */
function parsed(text: string): unknown {
  try {
    return parseExactJson(text, (number) => number);
  } catch {
    return undefined;
  }
}

function jsonRows(text: string): Rows | undefined {
  const value = parsed(text);
  const rows = isObject(value) ? [value] : value;
  return Array.isArray(rows) && rows.every(isObject) ? { format: "JSON", rows } : undefined;
}

function lineRows(text: string): Rows | undefined {
  if (!text.trimStart().startsWith("{")) return undefined;
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const rows = lines.map(parsed);
  return rows.every(isObject) ? { format: "NDJSON", rows } : undefined;
}

function csvRows(text: string): Rows | undefined {
  if (/^\s*[[{]/.test(text)) return undefined;
  const records = splitCsv(text.replace(/^\ufeff/, ""));
  const [names = [], ...lines] = records;
  if (lines.length === 0 || names.some((name) => name.trim() === "")) return undefined;
  const convert = names.map((_, column) => converterOf(lines.map((line) => line[column] ?? "")));
  const rows = lines.map((line) =>
    Object.fromEntries(
      names.flatMap((name, column) => {
        const value = line[column] ?? "";
        return value === "" ? [] : [[name.trim(), convert[column]?.(value) ?? value]];
      }),
    ),
  );
  return { format: "CSV", rows };
}

/** Converts the texts of a column to numbers or booleans, if all of them spell one. */
function converterOf(values: readonly string[]): (text: string) => unknown {
  const filled = values.filter((value) => value !== "");
  // A number that begins with 0 is a code, and one beyond the safe range would change.
  const isNumber = (value: string) => /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/.test(value);
  if (filled.length > 0 && filled.every(isNumber)) return Number;
  if (filled.length > 0 && filled.every((value) => value === "true" || value === "false"))
    return (text) => text === "true";
  return (text) => text;
}

/** The records of a CSV text (RFC 4180), with commas, semicolons or tabs: whichever the first line has most of. */
function splitCsv(text: string): string[][] {
  const [head = ""] = text.split("\n", 1);
  const counts = [",", ";", "\t"].map((one) => [one, head.split(one).length] as const);
  const [delimiter = ","] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? [];
  const records: string[][] = [];
  let record: string[] = [];
  let field = "";
  let quoted = false;
  const endField = () => {
    record.push(field);
    field = "";
  };
  const endRecord = () => {
    endField();
    if (record.length > 1 || record[0] !== "") records.push(record);
    record = [];
  };
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? "";
    if (quoted && character === '"' && text[at + 1] === '"') field += text[++at] ?? "";
    else if (quoted && character === '"') quoted = false;
    else if (quoted) field += character;
    else if (character === '"' && field === "") quoted = true;
    else if (character === delimiter) endField();
    else if (character === "\n") endRecord();
    else if (character !== "\r") field += character;
  }
  endRecord();
  return records;
}
