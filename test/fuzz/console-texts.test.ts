/** Foreign texts that the console's page shows: answers of models and recorded bodies. */
import fc from "fast-check";
import { describe, expect } from "vitest";
import { readMultipart } from "../../renderer/features/requests/message/multipart.ts";
import { boundLines, hasLongRun, withBrokenRuns } from "../../renderer/ui/code/bounded-text.ts";
import { formatBody } from "../../renderer/ui/code/format-body.ts";
import { parseMarkdown, type MarkdownNode } from "../../renderer/ui/markdown/parse-markdown.ts";
import { withinDeadline } from "../../server/foreign/within-deadline.ts";
import { fuzz, refusesBy } from "./families.ts";
import { changed } from "./inputs/changes.ts";
import { anyText } from "./inputs/texts.ts";

/** Pieces, each again and again. */
const repeated = (pieces: fc.Arbitrary<string>, most: number) =>
  fc
    .array(fc.tuple(pieces, fc.oneof(fc.nat(3), fc.nat(most))), { maxLength: 5 })
    .map((parts) => parts.map(([piece, count]) => piece.repeat(count)).join(""));

const marks = [
  ...["*a_", "<div>\n", "~~~\n\n", "> ", "- a\n", "1. ", "[", "](b)", "![", "`", "~~a", "| a ", "|--", "\n", "\n\n"],
  ...["&amp;", "\\", "<!--", "[^1]", "[^1]: ", "http://a.b/", "- [x] ", "# ", "---\n", "\t", "\u0301", "\u{1f600}"],
];
const longestLine = 2_100;

function inspect(node: MarkdownNode, depth: number): number {
  expect(depth).toBeLessThan(200);
  if (typeof node === "string") return 1;
  expect(node.tag).toMatch(/^[a-z]+[1-6]?$/);
  expect(["script", "style", "iframe", "object", "form", "svg"]).not.toContain(node.tag);
  return node.children.reduce((sum, child) => sum + inspect(child, depth + 1), 1);
}

describe("what the console shows:", () => {
  // The page ends the worker that takes longer.
  fuzz("Markdown of answers", {
    inputs: fc.oneof(repeated(fc.oneof(fc.constantFrom(...marks), anyText), 3_000), changed(fc.constantFrom(...marks))),
    read(text) {
      const tree = withinDeadline(400, () => parseMarkdown(text));
      expect(tree.reduce((sum, node) => sum + inspect(node, 0), 0)).toBeLessThanOrEqual(10_000);
    },
    refuses: refusesBy("OutOfTimeError", "TooLargeError", "RangeError"),
  });

  const words = [
    ...[
      "--b\r\n",
      "\r\n--b",
      '\r\n--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx',
      '{"a":',
      "[",
      "<a>",
      "a=b&",
    ],
    ...["x", "\u0301", "\u0634", "\u{1f600}", "\r\n", "\n"],
  ];
  fuzz("recorded bodies in the console", {
    inputs: fc.tuple(
      repeated(fc.oneof(fc.constantFrom(...words), anyText), 5_000),
      fc.constantFrom("multipart/form-data; boundary=b", "application/json", "application/xml", "text/plain"),
    ),
    read([text, type]) {
      const bytes = new TextEncoder().encode(text);
      const size = (readMultipart(bytes, type) ?? []).reduce((sum, part) => sum + part.bytes.length, 0);
      expect(size).toBeLessThanOrEqual(bytes.length);
      const shown = formatBody(text, type).pretty ?? text;
      const { cut, broken } = boundLines(shown) ?? { cut: shown, broken: shown };
      for (const line of `${cut}\n${broken}`.split("\n")) expect(line.length).toBeLessThan(longestLine);
      expect(broken.replaceAll("\n", "")).toBe(shown.replaceAll("\n", ""));
      expect(hasLongRun(withBrokenRuns(text))).toBe(false);
    },
  });
});
