import { parameterIn } from "../../../contract/header-parameters.ts";
import { decodedOfForm } from "./secrets-in-form.ts";
import type { FindSecrets } from "./secret-place.ts";

/** The boundary in the content type. Where that is missing or wrong, the first line of the body has it. */
export function boundaryOf(contentType: string, text: string): string | undefined {
  const named = parameterIn(contentType, "boundary") ?? "";
  if (named !== "" && firstDelimiter(text, named) < text.length) return named;
  return /^--([^\r\n]+)/.exec(text)?.[1]?.trimEnd();
}

/** The start of the next line that separates two parts, with its line break; the text's end where there is none. */
function nextDelimiter(text: string, boundary: string, from: number): number {
  let at = text.indexOf("\r\n--", from);
  while (at >= 0 && !text.startsWith(boundary, at + 4)) at = text.indexOf("\r\n--", at + 4);
  return at < 0 ? text.length : at;
}

/** The separator may be the first line of the text. */
const firstDelimiter = (text: string, boundary: string) =>
  text.startsWith(`--${boundary}`) ? 0 : nextDelimiter(text, boundary, 0);

/** The name of a part's form field, from its head, whose lines may be folded. */
function fieldOf(head: string): string {
  const lines = head.replace(/\r\n(?=[ \t])/g, "").split("\r\n");
  const disposition = lines.find((line) => /^content-disposition:/i.test(line)) ?? "";
  const encoded = () => decodedOfForm(parameterIn(disposition, "name*")?.split("'").at(-1) ?? "");
  return parameterIn(disposition, "name") ?? encoded();
}

export const secretsInMultipart = (boundary: string): FindSecrets =>
  function* (text, isSecret) {
    let to = firstDelimiter(text, boundary);
    while (to < text.length) {
      const begin = to;
      to = nextDelimiter(text, boundary, begin + 2);
      const headLength = text.slice(begin, to).indexOf("\r\n\r\n");
      if (headLength < 0) continue;
      const name = fieldOf(text.slice(begin, begin + headLength));
      if (isSecret(name)) yield { name, from: begin + headLength + 4, to };
    }
  };
