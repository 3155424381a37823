import { readFileSync } from "node:fs";
import { vi } from "vitest";

/** The text of a file that another process is about to write, by a rename. */
export const readWhenWritten = (file: string): Promise<string> =>
  vi.waitFor(() => readFileSync(file, "utf8"), { timeout: 40_000, interval: 50 });
