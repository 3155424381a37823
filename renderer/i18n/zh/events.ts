import type { events as english } from "../en/events.ts";
import type { Texts } from "../texts.ts";

export const events: Texts<typeof english> = {
  title: "事件",
  table: "事件",
  stored_one: "已存 {{count, number}} 条",
  stored_other: "已存 {{count, number}} 条",
  typeFilter: "类型",
  allTypes: "全部类型",
  time: "时间",
  type: "类型",
  summary: "内容",
  source: "来源",
  id: "编号",
  subject: "主体",
  inspector: "事件 {{id}}",
  cloudEvent: "CloudEvent",
  gone: "事件 {{id}} 已不在存储中。",
  emptyTitle: "还没有发生任何事件",
  emptyText: "各服务看到的一切都会立即显示在这里。试着触发一个：",
  emptyFilter: "没有类型为 {{type}} 的事件。",
  showAll: "显示全部类型",
};
