import type { keyTexts as english } from "../en/key-texts.ts";
import type { Texts } from "../texts.ts";

export const keyTexts: Texts<typeof english> = {
  title: "密钥",
  about:
    "其他机器上的程序和人凭密钥使用模型服务、控制 Hearth 或读取指标。谁必须向模型服务发送密钥，由设置 require_keys 决定。",
  none: "还没有密钥。",
  new: "新建密钥",
  name: "名称",
  namePlaceholder: "ci",
  nameHint: "用于区分密钥。",
  scopes: "用途",
  scope: {
    modelUse: "使用模型",
    modelManage: "拉取、创建和删除模型",
    control: "控制台的全部功能",
    metricsRead: "指标",
  },
  limits: "限额",
  limit: {
    requests_per_minute: "每分钟请求数",
    concurrent_requests: "同时请求数",
    tokens_per_day: "每天token数",
  },
  limited: {
    requests_per_minute_one: "每分钟 {{count, number}} 个请求",
    requests_per_minute_other: "每分钟 {{count, number}} 个请求",
    concurrent_requests: "同时 {{count, number}} 个请求",
    tokens_per_day_one: "每天 {{count, number}} 个 token",
    tokens_per_day_other: "每天 {{count, number}} 个 token",
  },
  unlimited: "不限",
  days: "有效期（天）",
  forever: "永久",
  until: "有效至 {{time}}",
  expired: "已过期",
  create: "创建密钥",
  created: "密钥“{{name}}”",
  shownOnce: "此密钥只在现在显示一次，请复制。Hearth 不保存任何能还原它的内容。",
  secret: "密钥",
  done: "完成",
  remove: "删除",
  removeOf: "删除密钥 {{name}}",
  confirm: {
    title: "删除密钥“{{name}}”？",
    text: "从现在起，使用它的请求会被拒绝。此操作无法撤消。",
    made_one: "用它创建的 {{count, number}} 个密钥也会一并删除。",
    made_other: "用它创建的 {{count, number}} 个密钥也会一并删除。",
  },
};
