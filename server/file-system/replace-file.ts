import { rmSync, writeFileSync } from "node:fs";
import { renameFileSync } from "./rename-file.ts";

/** Writes a file for its owner alone, whole or not at all: a reader never sees a part of it. @throws the system's error */
export function replaceFileSync(file: string, text: string): void {
  const draft = `${file}.${String(process.pid)}.part`;
  try {
    writeFileSync(draft, text, { mode: 0o600 });
    renameFileSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
