/**
 * Replaces the values of the secret fields of a query or a body. All other text stays byte for byte, so that it can be
 * sent again.
 */
import { contentType } from "../../../http/formats/read-body.ts";
import { isXml } from "../../../http/formats/read-xml.ts";
import type { IsSecretName } from "./secret-names.ts";
import type { FindSecrets } from "./secret-place.ts";
import { secretsInAddresses } from "./secrets-in-addresses.ts";
import { decodedOfForm, secretsInForm } from "./secrets-in-form.ts";
import { meaningOfJson, secretsInJson } from "./secrets-in-json.ts";
import { boundaryOf, secretsInMultipart } from "./secrets-in-multipart.ts";
import { secretsInXml } from "./secrets-in-xml.ts";

/**
 * Returns the replacement of a value. `raw` is the value as written, with quotes and escapes, and so is the result.
 * `plain` is its meaning. `quoted`: the place needs JSON.
 */
export type Replace = (name: string, raw: string, plain: string, quoted: boolean) => string;

interface Syntax {
  readonly find: FindSecrets;
  /** The meaning of a value as written. */
  readonly meaningOf: (raw: string) => string;
  /** Whether values are JSON. */
  readonly quoted: boolean;
}

/** The syntaxes in which a text may be read. */
type TextForm = readonly Syntax[];

const written = (find: FindSecrets): Syntax => ({ find, meaningOf: (raw) => raw, quoted: false });
const query: Syntax = { find: secretsInForm, meaningOf: decodedOfForm, quoted: false };
const json: Syntax = { find: secretsInJson, meaningOf: meaningOfJson, quoted: true };
const xml = written(secretsInXml);
export const formOfQuery: TextForm = [query];
/** Any header may have addresses in it. The signature of a link to a store opens what is there. */
export const formOfAddresses: TextForm = [{ ...query, find: secretsInAddresses }];

/**
 * Decides by the content type, or by the beginning of the text where the type does not fit. The type of a form may be
 * wrong, too: curl sends JSON and XML with it unless told otherwise, and the simulator reads them all the same.
 */
export function textFormOf(header: string, text: string): TextForm {
  const { type } = contentType(header);
  const boundary = type === "multipart/form-data" ? boundaryOf(header, text) : undefined;
  if (boundary !== undefined) return [written(secretsInMultipart(boundary))];
  const begun = /^\s*[[{]/.test(text) ? json : /^\s*</.test(text) ? xml : undefined;
  if (begun && type === "application/x-www-form-urlencoded" && !isWhole(text)) return [begun, query];
  if (begun) return [begun];
  if (type === "application/x-www-form-urlencoded") return formOfQuery;
  if (/[/+]json$/.test(type)) return [json];
  if (/[/+]xml$/.test(type)) return [xml];
  return /^[\w.[\]%-]+=/.test(text) ? formOfQuery : [];
}

/** Whether a text is JSON or XML from beginning to end, and neither cut off nor a form that begins like one. */
function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return isXml(text);
  }
}

/** The secrets in all syntaxes of the form, in their order. Two that overlap become one. */
function placesIn(text: string, form: TextForm, isSecret: IsSecretName) {
  const found = form.flatMap((syntax) => [...syntax.find(text, isSecret)].map((place) => ({ ...place, syntax })));
  const places: typeof found = [];
  for (const place of found.sort((a, b) => a.from - b.from)) {
    const last = places.at(-1);
    if (!last || last.to <= place.from) places.push(place);
    else places.splice(-1, 1, { ...last, to: Math.max(last.to, place.to) });
  }
  return places;
}

export function replaceSecrets(text: string, form: TextForm, isSecret: IsSecretName, replace: Replace): string {
  let result = "";
  let copied = 0;
  for (const { name, from, to, syntax } of placesIn(text, form, isSecret)) {
    if (from === to) continue;
    const raw = text.slice(from, to);
    result += text.slice(copied, from) + replace(name, raw, syntax.meaningOf(raw), syntax.quoted);
    copied = to;
  }
  return copied === 0 ? text : result + text.slice(copied);
}
