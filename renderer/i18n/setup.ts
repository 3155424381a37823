import { createInstance, type i18n } from "i18next";
import { initReactI18next } from "react-i18next";
import { en } from "./en.ts";
import { languages, languageTag, pickLanguage } from "./languages.ts";
import { zh } from "./zh.ts";

const storageKey = "hearth.language";

/** Sets the translations up: the language chosen last, else the browser's. The page's `lang` follows. */
export function createTranslations(storage: Storage, preferred: readonly string[], page: HTMLElement): i18n {
  const translations = createInstance();
  translations.on("languageChanged", (language) => {
    page.lang = languageTag(language);
    storage.setItem(storageKey, language);
  });
  void translations.use(initReactI18next).init({
    resources: { en: { translation: en }, zh: { translation: zh } },
    lng: pickLanguage(storage.getItem(storageKey), preferred),
    fallbackLng: "en",
    supportedLngs: Object.keys(languages),
    // React escapes what it writes.
    interpolation: { escapeValue: false },
    initAsync: false,
  });
  return translations;
}
