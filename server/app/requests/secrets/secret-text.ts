/**
 * Replaces the values of the secret fields of a query or a body. All other text stays byte for byte, so that it can be
 * sent again.
 */
import { contentType } from "../../../http/formats/read-body.ts";
import type { IsSecretName } from "./secret-names.ts";
import type { FindSecrets, SecretPlace } from "./secret-place.ts";
import { decodedOfForm, secretsInForm } from "./secrets-in-form.ts";
import { meaningOfJson, secretsInJson } from "./secrets-in-json.ts";
import { boundaryOf, secretsInMultipart } from "./secrets-in-multipart.ts";
import { secretsInXml } from "./secrets-in-xml.ts";

/**
 * Returns the replacement of a value. `raw` is the value as written, with quotes and escapes, and so is the result.
 * `plain` is its meaning.
 */
export type Replace = (name: string, raw: string, plain: string) => string;

/** The syntax of a text. */
interface TextForm {
  readonly find: FindSecrets;
  /** What a value as written means. */
  readonly meaningOf: (raw: string) => string;
  /** Whether values are written in quotes. */
  readonly quoted?: true;
}

const asWritten = (raw: string) => raw;
export const formOfQuery: TextForm = { find: secretsInForm, meaningOf: decodedOfForm };
const json: TextForm = { find: secretsInJson, meaningOf: meaningOfJson, quoted: true };
const xml: TextForm = { find: secretsInXml, meaningOf: asWritten };
const other: TextForm = { find: () => [], meaningOf: asWritten };

/** The form whose secrets are those that either finds. Of two that overlap, one goes as far as both. */
const asEither = (form: TextForm, { find }: TextForm): TextForm => ({
  ...form,
  find(text, isSecret) {
    const places: SecretPlace[] = [];
    for (const place of [...form.find(text, isSecret), ...find(text, isSecret)].sort((a, b) => a.from - b.from)) {
      const last = places.at(-1);
      if (!last || last.to <= place.from) places.push(place);
      else places.splice(-1, 1, { ...last, to: Math.max(last.to, place.to) });
    }
    return places;
  },
});

/**
 * Decides by the content type, or by the beginning of the text where the type does not fit. The type of a form may be
 * wrong, too: curl sends JSON and XML with it unless told otherwise, and the simulator reads them all the same.
 */
export function formOf(header: string, text: string): TextForm {
  const { type } = contentType(header);
  const boundary = type === "multipart/form-data" ? boundaryOf(header, text) : undefined;
  if (boundary !== undefined) return { find: secretsInMultipart(boundary), meaningOf: asWritten };
  const begun = /^\s*[[{]/.test(text) ? json : /^\s*</.test(text) ? xml : undefined;
  if (type === "application/x-www-form-urlencoded") return begun ? asEither(begun, formOfQuery) : formOfQuery;
  if (begun) return begun;
  if (/[/+]json$/.test(type)) return json;
  if (/[/+]xml$/.test(type)) return xml;
  return /^[\w.[\]%-]+=/.test(text) ? formOfQuery : other;
}

export function replaceSecrets(text: string, form: TextForm, isSecret: IsSecretName, replace: Replace): string {
  let result = "";
  let copied = 0;
  for (const { name, from, to } of form.find(text, isSecret)) {
    if (from === to) continue;
    const raw = text.slice(from, to);
    result += text.slice(copied, from) + replace(name, raw, form.meaningOf(raw));
    copied = to;
  }
  return copied === 0 ? text : result + text.slice(copied);
}

/** Replaces the secrets in the query of an address, if it has one. */
export function replaceInAddress(url: string, isSecret: IsSecretName, replace: Replace): string {
  const query = url.indexOf("?") + 1;
  return query === 0 ? url : url.slice(0, query) + replaceSecrets(url.slice(query), formOfQuery, isSecret, replace);
}
