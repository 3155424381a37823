import { rmSync, writeFileSync } from "node:fs";
import { renameFileSync } from "./rename-file.ts";

/**
 * Writes a file for its owner alone, whole or not at all: a reader never sees a part of it. It replaces a link; the target
 * of the link stays. @throws the system's error
 */
export function replaceFileSync(file: string, content: string | Uint8Array): void {
  const draft = `${file}.${String(process.pid)}.part`;
  try {
    rmSync(draft, { force: true });
    writeFileSync(draft, content, { mode: 0o600, flag: "wx" });
    renameFileSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
