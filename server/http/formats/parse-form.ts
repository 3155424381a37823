import { refuse, type HttpError } from "../http-error.ts";
import { safeName } from "../messages/safe-name.ts";

/** The fields by name; one whose name is repeated has a list. */
export type FormFields = Readonly<Record<string, string | readonly string[]>>;

/**
 * Parses `a=1&b=2` (a query string or a form body): percent-encoded UTF-8, `+` is a space, empty pairs are skipped.
 * @throws HttpError 400 naming the field, for malformed percent-encoding, and for a name in a body that reaches prototypes.
 */
export function parseForm(text: string, where: "query" | "body"): FormFields {
  const fields = Object.create(null) as Record<string, string | string[]>;
  if (text === "") return fields;
  for (const pair of text.split("&")) {
    if (pair === "") continue;
    const at = pair.indexOf("=");
    const encoded = at < 0 ? pair : pair.slice(0, at);
    const name = decode(encoded, encoded, where);
    if (where === "body" && name === "__proto__") throw refuse("body.name", { name }, { field: name });
    const value = at < 0 ? "" : decode(pair.slice(at + 1), name, where);
    const before = fields[name];
    if (Array.isArray(before)) before.push(value);
    else fields[name] = before === undefined ? value : [before, value];
  }
  return fields;
}

/** The refusal of a repeated name that stands for one value. */
export function repeated(where: "query" | "body", name: string): HttpError {
  const safe = safeName(name);
  return refuse(`${where}.twice`, { name: safe }, { field: safe });
}

/** @param name of the field, whose value may be a secret */
function decode(text: string, name: string, where: "query" | "body"): string {
  if (!text.includes("%") && !text.includes("+")) return text;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw refuse(`${where}.percent`, { name: safeName(name) });
  }
}
