import type { fidelity as english } from "../en/fidelity.ts";
import type { Texts } from "../texts.ts";

export const fidelity: Texts<typeof english> = {
  title: "模拟程度",
  counts:
    "{{total, number}} 个接口：{{exact, number}} 个精确，{{partial, number}} 个部分支持，{{not_simulated, number}} 个未模拟",
  search: "搜索路径或产品",
  all: "全部",
  className: "类别",
  class: { exact: "精确", partial: "部分", not_simulated: "未模拟" },
  meaning: {
    exact: "请求和应答与公开文档一致，错误经过测试，两个客户端库测试通过。",
    partial: "可以使用，但缺少部分功能。",
    not_simulated: "在身份验证之前返回 501 和平台从不使用的错误码。",
  },
  method: "方法",
  path: "路径",
  product: "产品",
  missing: "缺失",
  since: "收录日期",
  table: "平台的接口",
  unknown: "平台没有公开 {{operation}}。",
  none: "没有匹配的接口",
  noneHint: "可以按部分路径或产品（如“退款”）搜索。",
  showAll: "显示全部",
};
