import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { conditions } from "../../server/contract/messages/en/conditions.ts";
import { problems } from "../../server/contract/messages/en/problems.ts";
import { textsOf } from "../../server/contract/messages/entries.ts";
import { format } from "../../server/contract/messages/format.ts";
import type { Text } from "../../server/contract/messages/message.ts";
import { unlessGone } from "../ui/lazy-part.ts";

const english = textsOf({ ...problems, ...conditions });
const inEnglish = (text: Text) => format(text, english);

/**
 * Says in the reader's language why a form's value is refused, and what the contract says in English: descriptions of
 * parameters, the rows of a receiver's check-up, reasons of refused notifications. What has no translation stays as it is.
 */
export function useWireTexts(): (text: Text) => string {
  const { i18n } = useTranslation();
  const [chinese, setChinese] = useState<{ readonly say: (text: Text) => string }>();
  const isChinese = i18n.language === "zh";
  useEffect(() => {
    if (!isChinese) return;
    let wanted = true;
    void unlessGone(() => import("./zh/wire-texts.ts")).then(({ toChinese }) => {
      if (wanted) setChinese({ say: toChinese });
    });
    return () => {
      wanted = false;
    };
  }, [isChinese]);
  return isChinese && chinese ? chinese.say : inEnglish;
}
