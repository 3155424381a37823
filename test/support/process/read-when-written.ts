import { readFileSync } from "node:fs";
import { eventually } from "../eventually.ts";

/** The text of a file that another process is about to write, by a rename or at once; downloads are empty at first. */
export const readWhenWritten = (file: string): Promise<string> =>
  eventually(() => {
    const text = readFileSync(file, "utf8");
    if (text === "") throw new Error(`${file} is empty`);
    return text;
  });
