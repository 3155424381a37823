import { createElement, type FC } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { parseMarkdown, type MarkdownNode } from "../../../../renderer/ui/markdown/parse-markdown.ts";

/** The tests are compiled without what the page's own files need: the name is for Vite alone. */
const file: string = "../../../../renderer/ui/markdown/markdown-tree.tsx";
const { MarkdownTree } = (await import(file)) as { MarkdownTree: FC<{ tree: readonly MarkdownNode[] }> };

const shown = (text: string) => renderToStaticMarkup(createElement(MarkdownTree, { tree: parseMarkdown(text) }));

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

  it("shows HTML as text", () => {
    expect(shown("<script>alert(1)</script>\n\na <b onclick='x'>b</b>")).toBe(
      "&lt;script&gt;alert(1)&lt;/script&gt;<p>a &lt;b onclick=&#x27;x&#x27;&gt;b&lt;/b&gt;</p>",
    );
  });

  it("keeps the elements of a text, the first number of a list and the alignment of a column", () => {
    expect(shown("# A\n\n*b* **c** ~~d~~\ne\n\n> f\n\n---\n\n3. g\n4. h")).toBe(
      "<h2>A</h2><p><em>b</em> <strong>c</strong> <del>d</del>\ne</p><blockquote><p>f</p></blockquote><hr/>" +
        '<ol start="3"><li>g</li><li>h</li></ol>',
    );
    expect(shown("| a |\n|--:|\n| b |")).toContain('<td style="text-align:right">b</td>');
  });

  it("is no tree where the tree would have too many parts or levels, or a run of marks without an end", () => {
    const texts = ["a\n\n".repeat(6_000), "~~~\na\n~~~\n".repeat(1_000), "> ".repeat(200), "\u0301".repeat(1_000)];
    for (const text of texts) expect(() => parseMarkdown(text)).toThrow();
  });

  it("is read where it is long, too", () => {
    const text = "A *word* and `code` in a [line](https://example.com).\n\n- one\n- two\n\n".repeat(200);
    expect(shown(text)).toContain("<li>two</li>");
    const code = "const [a, b] = list[0] * list[1] & 3;\n".repeat(1_000);
    const [before, block, after] = parseMarkdown(`So:\n\`\`\`ts\n${code}\`\`\`\nDone.`);
    expect([before, after]).toEqual([
      { tag: "p", children: ["So:"] },
      { tag: "p", children: ["Done."] },
    ]);
    expect(block).toEqual({ tag: "pre", children: [{ tag: "code", children: [code] }] });
  });
});
