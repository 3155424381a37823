import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { readGuide, readLink } from "../../../../../renderer/features/guides/read-guide.ts";
import { parseMarkdown, type MarkdownNode } from "../../../../../renderer/ui/markdown/parse-markdown.ts";

test("joins the lines of a Chinese sentence, in the text and for the search", () => {
  const { markdown, sections } = readGuide(
    "guide",
    "# 收款\n\n支付平台确认后\n才入账。\n这里（订单）\n有 `id`。\n- 一，\n  二\n",
  );
  expect(markdown).toBe("# 收款\n\n支付平台确认后才入账。这里（订单）有 `id`。\n- 一，二\n");
  expect(sections[0]?.plain).toContain("支付平台确认后才入账。这里（订单）有 id。");
});

test("leaves what Markdown tells apart: code, headings, lists, other languages", () => {
  for (const text of ["```\n一\n二\n```\n", "# 一\n\n二\n", "一\n- 二\n", "一\n\n二\n", "one\ntwo\n", "一\ntwo\n"])
    expect(readGuide("guide", text).markdown).toBe(text);
});

const linksOf = (text: string): string[] => parseMarkdown(text).flatMap(linksIn);

function linksIn(node: MarkdownNode): string[] {
  if (typeof node === "string") return [];
  const own = node.tag === "a" && node.address !== undefined ? [node.address] : [];
  return [...own, ...node.children.flatMap(linksIn)];
}

test.each(["docs/guides", "docs/guides/zh-CN"])("a link to a section of %s leads to a heading there", (folder) => {
  const guides = globSync(`${folder}/*.md`).map((path) => readGuide(basename(path, ".md"), readFileSync(path, "utf8")));
  let count = 0;
  for (const guide of guides)
    for (const link of linksOf(guide.markdown).map(readLink)) {
      const target = link.file === "" ? guide : guides.find(({ name }) => `${name}.md` === link.file);
      if (link.anchor === undefined || target === undefined) continue;
      count++;
      expect(target.sections.map(({ anchor }) => anchor)).toContain(link.anchor);
    }
  expect(count).toBeGreaterThan(10);
});

test("a link that is no percent-encoding is taken as it is", () => {
  expect(readLink("a.md#100%")).toEqual({ file: "a.md", anchor: "100%" });
});
