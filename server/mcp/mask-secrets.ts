/** Hides secrets in what an agent gets: its transcript may be sent to others, and stored. */
import { hideKeys } from "../contract/process/access-keys.ts";
import { isSecretAnywhere, plainName } from "../contract/secret-names.ts";

export const hiddenText = "(hidden)";

/** References to recorded secrets, such as `{{session:12}}`, are no secrets. */
const isReference = (text: string) => /^\{\{[^{}]+\}\}$/.test(text);

const isSecretName = (name: string) => {
  const plain = plainName(name);
  return isSecretAnywhere(plain) || /(?:^key|(?:v[23]|private|session|api)key)$/.test(plain);
};

const hidden = (text: string) => (text === "" || isReference(text) ? text : hiddenText);

/** A member of JSON, or a pair of a form or of a query, with its value. */
const jsonMember = /("([^"\\]+)"\s*:\s*)"((?:[^"\\]|\\.)*)"/g;
const formPair = /((?:^|[?&;\s])([\w.-]+)=)([^&;\s"'<>]+)/g;
const headerLine =
  /((?:^|[\n"'])(authorization|proxy-authorization|cookie|set-cookie|x-access-token):[ \t]*)([^\n"']+)/gi;
const bearer = /\b(Bearer|Basic)[ ]+[\w.~+/=-]{8,}/gi;
const privateKey = /-----BEGIN ([A-Z ]*PRIVATE KEY)-----[^-]+-----END \1-----/g;

function maskText(text: string, known: readonly string[]): string {
  let masked = text;
  for (const secret of known) if (secret !== "") masked = masked.replaceAll(secret, hiddenText);
  return hideKeys(masked)
    .replace(privateKey, hiddenText)
    .replace(headerLine, (_, before: string) => `${before}${hiddenText}`)
    .replace(bearer, (_, scheme: string) => `${scheme} ${hiddenText}`)
    .replace(jsonMember, (all, before: string, name: string, value: string) =>
      isSecretName(name) ? `${before}"${hidden(value)}"` : all,
    )
    .replace(formPair, (all, before: string, name: string, value: string) =>
      isSecretName(name) ? `${before}${hidden(value)}` : all,
    );
}

/** Hides every text of a value. */
function hideAll(value: unknown): unknown {
  if (typeof value === "string") return hidden(value);
  if (Array.isArray(value)) return value.map(hideAll);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, hideAll(member)]));
}

/** A header or a form's field as `{ name, value }`. */
const isNamedSecret = (value: object): value is { name: string; value: unknown } =>
  "name" in value && "value" in value && typeof value.name === "string" && isSecretName(value.name);

/**
 * A copy of a JSON value of the same shape, without session tokens, cookies, keys and passwords.
 * @param known further secrets, hidden wherever they stand
 */
export function maskSecrets<Value>(value: Value, known: readonly string[] = []): Value {
  const mask = (one: unknown): unknown => {
    if (typeof one === "string") return maskText(one, known);
    if (Array.isArray(one)) return one.map(mask);
    if (typeof one !== "object" || one === null) return one;
    if (isNamedSecret(one)) return { ...one, value: hideAll(one.value) };
    return Object.fromEntries(
      Object.entries(one).map(([name, member]) => [name, isSecretName(name) ? hideAll(member) : mask(member)]),
    );
  };
  return mask(value) as Value;
}
