import { useTranslation } from "react-i18next";
import type { Language } from "../../i18n/languages.ts";
import { chooseLanguageKey } from "../../i18n/setup.ts";
import { useToast } from "../../ui/dialogs/toast.ts";
import { useService } from "../../ui/services.ts";

/** Changes the language of the console, or says that it cannot be fetched. */
export function useChooseLanguage(): (language: Language) => Promise<void> {
  const { t } = useTranslation();
  const choose = useService(chooseLanguageKey);
  const toast = useToast();
  return (language) =>
    choose(language).catch(() => toast.error(t("failure.withReason", { reason: t("failure.offline") })));
}
