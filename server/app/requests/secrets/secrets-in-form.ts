import type { FindSecrets } from "./secret-place.ts";

export function decodedOfForm(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

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
