import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shellWord } from "../../../server/contract/shell-words.ts";

describe("a word of a shell", () => {
  it.runIf(process.platform !== "win32")("is read by a POSIX shell as the text that it was made of", () => {
    const hostile = fc.constantFrom("'", '"', "$HOME", "`id`", "\\", " ", "~", "%", "!", "&", ";", "\n", "-", "图");
    const path = fc.array(fc.oneof(hostile, fc.string())).map((parts) => `/${parts.join("")}`.replaceAll("\0", ""));
    fc.assert(
      fc.property(fc.array(path, { minLength: 1, maxLength: 5 }), (paths) => {
        const words = paths.map((one) => shellWord(one, "linux")).join(" ");
        const read = execFileSync("/bin/sh", ["-c", `printf '%s\\0' ${words}`], { encoding: "utf8" });
        expect(read.split("\0").slice(0, -1)).toEqual(paths);
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    [String.raw`C:\Users\a`, String.raw`C:\Users\a`],
    [String.raw`C:\my dir\a`, String.raw`"C:\my dir\a"`],
    // A backslash before the closing quote would make the quote a part of the word.
    ["C:\\my dir\\", String.raw`"C:\my dir\\"`],
    [String.raw`C:\it's (1) & 50%`, String.raw`"C:\it's (1) & 50%"`],
    // PowerShell would put a variable's value there.
    [String.raw`C:\it's $env`, String.raw`'C:\it''s $env'`],
    ["C:\\a\u201d b", "'C:\\a\u201d b'"],
  ])("is written for both shells of Windows: %s", (text, word) => {
    expect(shellWord(text, "win32")).toBe(word);
  });
});
