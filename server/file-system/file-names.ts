import { readdirSync } from "node:fs";

/** The names in a folder; none where it cannot be read. */
export function fileNamesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
