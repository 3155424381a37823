import type { FindSecrets } from "./secret-place.ts";

/** Bytes that are not UTF-8 become U+FFFD, which no name has. Throwing an error for each would be slow. */
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
