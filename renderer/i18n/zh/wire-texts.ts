/** What the contract says in English to whoever reads its schemas, in Chinese. */
import { faultTexts } from "./fault-texts.ts";
import { notificationTexts } from "./notification-texts.ts";
import { receiverCheckTexts } from "./receiver-check-texts.ts";

export const wireTexts: Readonly<Record<string, string>> = {
  ...faultTexts,
  ...notificationTexts,
  ...receiverCheckTexts,
};
