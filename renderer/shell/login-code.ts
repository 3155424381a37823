import { codeIn } from "../api/log-in.ts";

/** How a code is written. */
export const codeShape = "XXXX-XXXX";

const half = codeShape.indexOf("-");

/** What was typed or pasted, a whole address too, as a code is written. */
export function written(typed: string): string {
  const code = codeIn(typed)
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, "")
    .slice(0, 2 * half);
  return code.length > half ? `${code.slice(0, half)}-${code.slice(half)}` : code;
}
