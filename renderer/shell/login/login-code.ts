import { codeIn } from "../../api/log-in.ts";

/** The format of a code. */
export const codeShape = "XXXX-XXXX";

const half = codeShape.indexOf("-");

/** Formats a typed or pasted code, or a whole address, as a code. */
export function written(typed: string): string {
  const code = codeIn(typed)
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, "")
    .slice(0, 2 * half);
  return code.length > half ? `${code.slice(0, half)}-${code.slice(half)}` : code;
}
