import { statSync } from "node:fs";

/** A text that differs once a file was changed or replaced; empty for none. */
export function signatureOf(file: string): string {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    return found ? [found.ino, found.size, found.mtimeMs, found.ctimeMs].join(" ") : "";
  } catch {
    return "";
  }
}
