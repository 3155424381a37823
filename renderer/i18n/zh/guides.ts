import type { guides as english } from "../en/guides.ts";
import type { Texts } from "../texts.ts";

export const guides: Texts<typeof english> = {
  title: "指南",
  guide: "指南：{{title}}",
  search: "搜索指南",
  hits_one: "{{count, number}} 个章节",
  hits_other: "{{count, number}} 个章节",
};
