import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { unlessGone } from "../ui/lazy-part.ts";

const untranslated = (text: string) => text;

/**
 * Says in the reader's language what the contract says in English: descriptions of parameters, the rows of a receiver's
 * check-up, reasons of refused notifications, and why a value is refused. What has no translation stays as it is.
 */
export function useWireTexts(): (text: string) => string {
  const { i18n } = useTranslation();
  const [chinese, setChinese] = useState<{ readonly say: (text: string) => string }>();
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
  return isChinese && chinese ? chinese.say : untranslated;
}
