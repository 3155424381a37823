import { createInstance, type i18n } from "i18next";
import { initReactI18next } from "react-i18next";
import { en } from "./en.ts";
import { zh } from "./zh.ts";

/** Each language under its own name. */
export const languages = { en: "English", zh: "简体中文" } as const;
export type Language = keyof typeof languages;

const storageKey = "hearth.language";
/** The tag that formats and the page's `lang` attribute use. */
const tags: Record<Language, string> = { en: "en", zh: "zh-CN" };

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

/** The first language that is both wanted and there; English where none is. */
export function pickLanguage(stored: string | null, preferred: readonly string[]): Language {
  const wanted = [...(stored === null ? [] : [stored]), ...preferred].map((tag) => tag.toLowerCase().split("-")[0]);
  return wanted.find(isLanguage) ?? "en";
}

const isLanguage = (name: string | undefined): name is Language => name !== undefined && name in languages;

export const languageTag = (language: string): string => (isLanguage(language) ? tags[language] : language);
