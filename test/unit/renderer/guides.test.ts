import { expect, test } from "vitest";
import { readGuide } from "../../../renderer/features/api-docs/guides/read-guide.ts";

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
