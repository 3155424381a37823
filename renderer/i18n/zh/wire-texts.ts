/** What the contract says in English to whoever reads its schemas, in Chinese. */
import { createTranslate } from "../../../server/http/messages/translate.ts";
import { chinese } from "../../../server/http/messages/zh/chinese.ts";
import { faultTexts } from "./fault-texts.ts";
import { notificationTexts } from "./notification-texts.ts";
import { receiverCheckTexts } from "./receiver-check-texts.ts";

export const wireTexts: Readonly<Record<string, string>> = {
  ...faultTexts,
  ...notificationTexts,
  ...receiverCheckTexts,
};

const refusalToChinese = createTranslate(chinese);

/** What has no translation stays as it is. */
export const toChinese = (text: string): string => wireTexts[text] ?? refusalToChinese(text) ?? text;
