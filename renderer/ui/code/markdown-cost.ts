/** Estimates whether Markdown is safe to parse: for some adversarial texts the parser takes minutes or fails. */

/** Longer texts are shown as they are. */
const longestText = 200_000;
/** The maximum number of significant characters in one block. */
const mostMarks = 1_000;
const mostUnderlines = 1_000;
/** The maximum nesting of quotes and lists in one line. */
const deepestLine = 50;

const mark = /[[\]*_~<&\\`!\r\n]/g;
const underline = /^[ \t]*[-=]+[ \t\r]*$/gm;
const container = /[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])[ \t])/y;

function depthOf(line: string): number {
  let depth = 0;
  container.lastIndex = 0;
  while (depth <= deepestLine && container.test(line)) depth++;
  container.lastIndex = 0;
  return depth;
}

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

/** Yields groups of consecutive non-empty lines, without fenced code, in which no character has a meaning. */
function* blocksOf(text: string): Generator<string> {
  let block: string[] = [];
  let fence: string | undefined;
  for (const line of text.split("\n")) {
    const [, mark, behind = ""] = /^ {0,3}(`{3,}|~{3,})(.*)/.exec(line) ?? [];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true && behind.trim() === "") fence = undefined;
    } else if (mark !== undefined && !(mark.startsWith("`") && behind.includes("`"))) fence = mark;
    else if (line.trim() !== "") {
      block.push(line);
      continue;
    }
    yield block.join("\n");
    block = [];
  }
  yield block.join("\n");
}

export const isQuickMarkdown = (text: string): boolean =>
  text.length <= longestText &&
  count(text, underline) <= mostUnderlines &&
  [...blocksOf(text)].every((block) => count(block, mark) <= mostMarks) &&
  text.split("\n").every((line) => depthOf(line) <= deepestLine);
