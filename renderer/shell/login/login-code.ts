import { codeIn } from "../../api/http/log-in.ts";

/** The format of a code. */
export const codeShape = "XXXX-XXXX-XXXX";

/** Formats a typed or pasted code, or a whole address, as a code. */
export function written(typed: string): string {
  const signs = codeIn(typed)
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, "");
  const groups = signs.match(/.{1,4}/g) ?? [];
  return groups.join("-").slice(0, codeShape.length);
}
