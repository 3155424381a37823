import { expect, it } from "vitest";
import { parseMarkdown, type MarkdownNode } from "../../../../renderer/ui/markdown/parse-markdown.ts";

/** The tags and texts of a tree: `ul(li(a))`. */
const outline = (nodes: readonly MarkdownNode[]): string =>
  nodes
    .map((node) => (typeof node === "string" ? node.trim() : `${node.tag}(${outline(node.children)})`))
    .filter((text) => text !== "")
    .join(" ");
const read = (...lines: string[]) => outline(parseMarkdown(lines.join("\n")));

it.each([
  ["two blanks below a number", ["1. a", "  - b", "2. c"]],
  ["three blanks below a number", ["1. a", "   - b", "2. c"]],
  ["four blanks below a number", ["1. a", "    - b", "2. c"]],
  ["a tab below a number", ["1. a", "\t- b", "2. c"]],
  ["brackets after the numbers", ["1) a", "  - b", "2) c"]],
])("nests a list with %s", (_, lines) => {
  expect(read(...lines)).toBe("ol(li(a ul(li(b))) li(c))");
});

it.each([
  ["two blanks", ["- a", "  1. b", "  2. c", "- d"]],
  ["four blanks", ["- a", "    1. b", "    2. c", "- d"]],
  ["four blanks, then two", ["- a", "    1. b", "  2. c", "- d"]],
])("nests numbers below a bullet by %s", (_, lines) => {
  expect(read(...lines)).toBe("ul(li(a ol(li(b) li(c))) li(d))");
});

it("begins a list right after a line of a paragraph, indented or not", () => {
  expect(read("Steps:", "1) a", "2) b")).toBe("p(Steps:) ol(li(a) li(b))");
  expect(read("Steps:", "    - a", "    - b")).toBe("p(Steps:) ul(li(a) li(b))");
});

it("keeps text and code below an item in it, and the blanks within the code", () => {
  expect(read("1. a", "", "  more", "2. b")).toBe("ol(li(p(a) p(more)) li(p(b)))");
  const [list] = parseMarkdown("1. a\n  - b\n    ```\n    x\n      - y\n    ```");
  expect(JSON.stringify(list)).toContain('"x\\n  - y\\n"');
});

it("leaves code, rules and numbers within a text alone", () => {
  expect(read("a", "", "    - code")).toBe("p(a) pre(code(- code))");
  expect(read("```", "1. a", "  - b", "```")).toBe("pre(code(1. a\n  - b))");
  expect(read("a", "", "- - -", "", "b")).toBe("p(a) hr() p(b)");
  expect(read("It was in", "1986. A good year.")).toBe("p(It was in\n1986. A good year.)");
  expect(read("- a", "", "b")).toBe("ul(li(a)) p(b)");
});
