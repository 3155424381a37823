/** The words of a check's report, and the texts of its rows, in the reader's language. */
import { checkRowTexts } from "../../messages/zh/check-row-texts.ts";
import type { CheckLanguage } from "./check-language.ts";

export const reportWords = {
  en: { sent: "Sent: ", right: "Expected: ", why: "Why it matters: ", seen: "Seen: " },
  zh: { sent: "发送：", right: "应当：", why: "为何重要：", seen: "实际：" },
} as const;

/** Says a text of a row. */
export const sayRow = (language: CheckLanguage) => (english: string) =>
  language === "zh" ? (checkRowTexts[english] ?? english) : english;
