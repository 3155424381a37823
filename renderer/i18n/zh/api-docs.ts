import type { apiDocs as english } from "../en/api-docs.ts";
import type { Texts } from "../texts.ts";

export const apiDocs: Texts<typeof english> = {
  title: "接口文档",
  frame: "接口说明",
  openAlone: "在新标签页打开",
  description: "OpenAPI（JSON）",
  user: "使用其会话的用户",
  signIn: "登录",
  signedIn: "现在以 {{user}} 的身份试用接口。",
};
