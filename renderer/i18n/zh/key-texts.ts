import type { keyTexts as english } from "../en/key-texts.ts";
import type { Texts } from "../texts.ts";

export const keyTexts: Texts<typeof english> = {
  title: "密钥",
  about:
    "其他机器上的程序和用户凭密钥使用模型服务、控制 Hearth 或读取指标。哪些调用方必须向模型服务发送密钥，由设置 require_keys 决定。",
  none: "还没有密钥。",
  new: "新建密钥",
  name: "名称",
  namePlaceholder: "ci",
  nameHint: "用于区分密钥。",
  scopes: "权限",
  scope: {
    modelUse: "使用模型",
    modelManage: "拉取、创建和删除模型",
    control: "控制台的全部功能",
    metricsRead: "读取指标",
  },
  limits: "限额",
  limit: {
    requests_per_minute: "每分钟请求数",
    concurrent_requests: "并发请求数",
    tokens_per_day: "每天 token 数",
  },
  limited: {
    requests_per_minute_one: "每分钟 {{count, number}} 个请求",
    requests_per_minute_other: "每分钟 {{count, number}} 个请求",
    concurrent_requests: "并发 {{count, number}} 个请求",
    tokens_per_day_one: "每天 {{count, number}} 个 token",
    tokens_per_day_other: "每天 {{count, number}} 个 token",
  },
  unlimited: "不限",
  days: "有效期（天）",
  forever: "永久有效",
  until: "有效至 {{time}}",
  expired: "已过期",
  create: "创建密钥",
  created: "密钥“{{name}}”",
  shownOnce: "请立即复制此密钥。Hearth 只保存其哈希值，之后无法再次显示。",
  secret: "密钥",
  done: "完成",
  remove: "删除",
  removeOf: "删除密钥 {{name}}",
  confirm: {
    title: "删除密钥“{{name}}”？",
    text: "使用此密钥的请求将立即被拒绝。此操作无法撤销。",
    made_one: "用它创建的 {{count, number}} 个密钥也会一并删除。",
    made_other: "用它创建的 {{count, number}} 个密钥也会一并删除。",
  },
};
