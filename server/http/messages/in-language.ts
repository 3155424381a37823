/** The language of messages for people, by Accept-Language (RFC 9110, 12.5.4): English or Chinese. */
import type { IncomingMessage, ServerResponse } from "node:http";
import Negotiator from "negotiator";
import { varyBy } from "../conventions/vary.ts";
import { chinese } from "../../contract/messages/chinese.ts";
import { format } from "../../contract/messages/format.ts";
import { inEnglish } from "../../contract/messages/in-english.ts";
import type { Text } from "../../contract/messages/message.ts";

/** English without a header, and if it names neither language. */
export const acceptedLanguage = (req: IncomingMessage): "en" | "zh" =>
  req.headers["accept-language"] !== undefined && new Negotiator(req).language(["en", "zh"]) === "zh" ? "zh" : "en";

/** Formats a message in the reader's language. */
type InLanguage = (text: Text) => string;

/** For the messages of one answer, whose headers then name the language. */
export function inLanguageOf(req: IncomingMessage, res: ServerResponse): InLanguage {
  const language = acceptedLanguage(req);
  if (!res.hasHeader("Content-Language")) {
    varyBy(res, "Accept-Language");
    res.setHeader("Content-Language", language);
  }
  return language === "en" ? inEnglish : (text) => format(text, chinese);
}
