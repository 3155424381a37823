import { readFileSync } from "node:fs";
import { vi } from "vitest";

/** The text of a file that another process is about to write, by a rename or at once; downloads are empty at first. */
export const readWhenWritten = (file: string): Promise<string> =>
  vi.waitFor(
    () => {
      const text = readFileSync(file, "utf8");
      if (text === "") throw new Error(`${file} is empty`);
      return text;
    },
    { timeout: 40_000, interval: 50 },
  );
