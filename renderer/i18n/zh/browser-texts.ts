import type { browserTexts as english } from "../en/browser-texts.ts";
import type { Texts } from "../texts.ts";

export const browserTextsZh: Texts<typeof english> = {
  title: "浏览器",
  about: "以下浏览器已登录控制台。登录 90 天后失效。",
  none: "没有浏览器登录。",
  unnamed: "未知浏览器",
  current: "当前浏览器",
  since: "登录时间",
  seen: "最近使用",
  remove: "退出登录",
  removeOf: "让 {{name}} 退出登录",
  confirm: {
    title: "让当前浏览器退出登录？",
    text: "再次打开控制台时需要新的登录码。",
  },
};
