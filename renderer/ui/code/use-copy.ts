import { useTranslation } from "react-i18next";
import { useToast } from "../dialogs/toast.ts";
import { copyText } from "./copy-text.ts";

/** Copies a text, and tells the user where that fails. Resolves to whether it was copied. */
export function useCopy(): (text: string) => Promise<boolean> {
  const { t } = useTranslation();
  const toast = useToast();
  return async (text) => {
    const isCopied = await copyText(text);
    if (!isCopied) toast.error(t("failure.notCopied"));
    return isCopied;
  };
}
