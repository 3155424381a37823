/** Describes an exception of the code: where it was thrown, and the line. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { CodeFailure, CodePlace } from "../child-messages.ts";
import { loadedFiles } from "./load-code.ts";

const longestMessage = 2_000;
const longestSource = 200;

/** After the file, at the end of a line of a stack, or of the first line of a syntax error's. */
const numbersPattern = /:(\d{1,9})(?::(\d{1,9}))?\)?$/;

function placeIn(line: string): CodePlace | undefined {
  const numbers = numbersPattern.exec(line);
  const [, row = "", column = "1"] = numbers ?? [];
  const file = line.slice(line.lastIndexOf("file://"), numbers?.index);
  if (!loadedFiles.has(file)) return undefined;
  return { file: fileURLToPath(file), line: Number(row), column: Number(column) };
}

/** The lines of a stack that lie in the code. */
const codeLines = (stack: string) => stack.split("\n").filter((line) => placeIn(line) !== undefined);

/** Where the running function of the code was called. */
export function callerPlace(): CodePlace | undefined {
  const [line = ""] = codeLines(new Error().stack ?? "");
  return placeIn(line);
}

export function sourceOf({ file, line }: CodePlace): string | undefined {
  try {
    return readFileSync(file, "utf8").split("\n")[line - 1]?.trim().slice(0, longestSource);
  } catch {
    return undefined;
  }
}

/** A thrown value as a text. Its own functions may throw. */
function messageOf(thrown: unknown): string {
  try {
    if (thrown instanceof Error) return `${thrown.name}: ${thrown.message}`;
    return `${typeof thrown === "string" ? JSON.stringify(thrown) : String(thrown)} was thrown`;
  } catch {
    return "a value without a text was thrown";
  }
}

/** @param fallback the place of what was called, for values without a stack */
export function describeFailure(thrown: unknown, fallback?: CodePlace): CodeFailure {
  let stack = "";
  try {
    if (thrown instanceof Error && typeof thrown.stack === "string") stack = thrown.stack;
  } catch {
    // Code may define it as anything.
  }
  const lines = codeLines(stack);
  // The first line of a syntax error's stack is its place, and a line of carets its column.
  const place = placeIn(lines[0] ?? "") ?? fallback;
  const carets = /^( *)\^+$/m.exec(stack)?.[1]?.length;
  const exact =
    place && carets !== undefined && !/^\s*at /.test(lines[0] ?? "") ? { ...place, column: carets + 1 } : place;
  const message = messageOf(thrown).slice(0, longestMessage);
  return {
    message,
    stack: [message, ...lines.filter((line) => /^\s*at /.test(line)).slice(0, 20)].join("\n"),
    ...(exact && { place: exact, source: sourceOf(exact) }),
  };
}
