import type { apiDocs as english } from "../en/api-docs.ts";
import type { Texts } from "../texts.ts";

export const apiDocs: Texts<typeof english> = {
  title: "接口文档",
  frame: "接口说明",
  skip: "跳过接口说明",
  end: "接口说明结束",
  openAlone: "在新标签页打开",
  description: "OpenAPI（JSON）",
  user: "会话用户",
  signedIn: "登录身份",
};
