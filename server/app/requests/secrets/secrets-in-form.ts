import type { FindSecrets } from "./secret-place.ts";

/** What is no UTF-8 stands for a character that no name has. Errors are not thrown for it: each takes long. */
export const decodedOfForm = (text: string): string =>
  text
    .replaceAll("+", " ")
    .replace(/(?:%[\da-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll("%", ""), "hex").toString());

export const secretsInForm: FindSecrets = function* (text, isSecret) {
  let begin = 0;
  for (const pair of text.split("&")) {
    const equals = pair.indexOf("=");
    const to = begin + pair.length;
    if (equals >= 0) {
      const name = decodedOfForm(pair.slice(0, equals));
      if (isSecret(name)) yield { name, from: begin + equals + 1, to };
    }
    begin = to + 1;
  }
};
