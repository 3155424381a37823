/** The contract's English texts, and the problems of a form's values, in Chinese. */
import { format } from "../../../server/contract/messages/format.ts";
import type { Text } from "../../../server/contract/messages/message.ts";
import { conditionsZh } from "../../../server/contract/messages/zh/conditions.ts";
import { problemsZh } from "../../../server/contract/messages/zh/problems.ts";
import { faultTexts } from "./fault-texts.ts";
import { notificationTexts } from "./notification-texts.ts";
import { checkRowTexts } from "../../../server/contract/messages/zh/check-row-texts.ts";

export const wireTexts: Readonly<Record<string, string>> = {
  ...faultTexts,
  ...notificationTexts,
  ...checkRowTexts,
};

const texts = { ...problemsZh, ...conditionsZh };

/** A text without a translation stays as it is. */
export const toChinese = (text: Text): string =>
  typeof text === "string" ? (wireTexts[text] ?? text) : format(text, texts);
