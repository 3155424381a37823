/** Wraps a line, as Python's `textwrap.wrap` does without tabs and new lines. */
import { valueError } from "../values/python-error.ts";

interface WrapForm {
  readonly width: number;
  readonly breaksWords: boolean;
  readonly breaksHyphens: boolean;
}

/** Words, the blanks between them, and parts of words behind hyphens between letters. */
function chunksOf(line: string, breaksHyphens: boolean): string[] {
  const chunks = line.split(/([\t-\r ]+)/).filter((chunk) => chunk !== "");
  if (!breaksHyphens) return chunks;
  return chunks.flatMap((chunk) => chunk.split(/(?<=[\p{L}_]{2}-)(?=[\p{L}_]{2})/u));
}

/** @throws PythonError for a width below 1 */
export function wrapLine(line: string, { width, breaksWords, breaksHyphens }: WrapForm): string[] {
  if (width <= 0) throw valueError(`invalid width ${width} (must be > 0)`);
  const lines: string[] = [];
  let current: string[] = [];
  let length = 0;
  const isBlank = (chunk: string | undefined) => chunk !== undefined && chunk.trim() === "";
  const end = () => {
    if (isBlank(current.at(-1))) current.pop();
    if (current.length > 0) lines.push(current.join(""));
    [current, length] = [[], 0];
  };
  const pending = chunksOf(line, breaksHyphens).reverse();
  for (let chunk = pending.pop(); chunk !== undefined; chunk = pending.pop()) {
    if (isBlank(chunk) && current.length === 0 && lines.length > 0) continue;
    const room = width - length;
    if (chunk.length > room && chunk.length > width && breaksWords) {
      current.push(chunk.slice(0, Math.max(room, 1)));
      pending.push(chunk.slice(Math.max(room, 1)));
      end();
      continue;
    }
    if (chunk.length > room && current.length > 0) {
      end();
      pending.push(chunk);
      continue;
    }
    current.push(chunk);
    length += chunk.length;
  }
  end();
  return lines;
}
