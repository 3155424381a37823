/** The language of messages for people, by Accept-Language (RFC 9110, 12.5.4): English or Chinese. */
import type { IncomingMessage, ServerResponse } from "node:http";
import Negotiator from "negotiator";
import { varyBy } from "../conventions/vary.ts";
import { createTranslate } from "./translate.ts";
import { chinese } from "./zh/chinese.ts";

/** English without a header, and where it names neither language. */
export const acceptedLanguage = (req: IncomingMessage): "en" | "zh" =>
  req.headers["accept-language"] !== undefined && new Negotiator(req).language(["en", "zh"]) === "zh" ? "zh" : "en";

const toChinese = createTranslate(chinese);

/** Says a message in the reader's language; one that has no translation stays as it is. */
type InLanguage = (message: string) => string;

/** For the messages of one answer, whose headers then name the language. */
export function inLanguageOf(req: IncomingMessage, res: ServerResponse): InLanguage {
  const language = acceptedLanguage(req);
  if (!res.hasHeader("Content-Language")) {
    varyBy(res, "Accept-Language");
    res.setHeader("Content-Language", language);
  }
  return language === "zh" ? (message) => toChinese(message) ?? message : (message) => message;
}
