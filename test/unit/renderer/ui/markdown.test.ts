import { createElement, type FC } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { isQuickMarkdown } from "../../../../renderer/ui/code/markdown-cost.ts";

/** The tests are compiled without what the page's own files need: the name is for Vite alone. */
const file: string = "../../../../renderer/ui/code/markdown-text.tsx";
const { MarkdownText } = (await import(file)) as { MarkdownText: FC<{ text: string }> };

const shown = (text: string) => renderToStaticMarkup(createElement(MarkdownText, { text }));

describe("Markdown of an answer", () => {
  it("has links to other sites", () => {
    expect(shown("[a](https://example.com/b)")).toContain('href="https://example.com/b"');
    expect(shown("see http://example.com/c")).toContain('href="http://example.com/c"');
  });

  it.each([
    "/console/",
    "#a",
    "b.html",
    "//example.com",
    "mailto:a@b.example",
    "javascript:alert(1)",
    "hearth:a",
    "https:a",
    "http://",
  ])("shows only the text of a link to %s", (address) => {
    for (const text of [`[the text](${address})`, `![the text](${address})`]) {
      expect(shown(text)).toContain("the text");
      expect(shown(text)).not.toContain("<a");
    }
  });

  it("names the boxes of a task list", () => {
    const list = shown("- [x] bake\n- [ ] eat");
    expect(list.match(/<input[^>]*aria-label="[^"]+"[^>]*>/g)).toHaveLength(2);
  });

  it.each(["]", ">", "> ", "1. ", "**a", "~~a", "\r\n--", "[a](b", "\n- a"])(
    "is shown as it is when it is %j again and again",
    (piece) => {
      const text = piece.repeat(30_000);
      expect(shown(text)).toContain("pre-wrap");
    },
  );

  it("is read where it is long, too", () => {
    const text = "A *word* and `code` in a [line](https://example.com).\n\n- one\n- two\n\n".repeat(200);
    expect(shown(text)).not.toContain("pre-wrap");
  });

  it("is read where its code is long and has no empty line", () => {
    const code = "const [a, b] = list[0] * list[1] & 3;\n".repeat(1_000);
    expect(isQuickMarkdown(`So:\n\`\`\`ts\n${code}\`\`\`\nDone.`)).toBe(true);
    expect(isQuickMarkdown(`\`\`\` not \`code\n${"]".repeat(30_000)}`)).toBe(false);
  });
});
