import { decodedOfForm } from "./secrets-in-form.ts";
import { matchAt, type FindSecrets } from "./secret-place.ts";

/** Goes up to the next field, or to the end of the brackets around an address in `Link`. */
const value = /(?:[^&>]|>(?!\s*(?:[;,]|$)))*/y;

/** In the query and the fragment of an address, of several, or of one within another. */
export const secretsInAddresses: FindSecrets = function* (text, isSecret) {
  const field = /[?#&]([^?#&=]*)=/g;
  for (let found = field.exec(text); found; found = field.exec(text)) {
    const name = decodedOfForm(found[1] ?? "");
    if (!isSecret(name)) continue;
    const from = field.lastIndex;
    const to = from + matchAt(value, text, from).length;
    yield { name, from, to };
    field.lastIndex = to;
  }
};
