import { createInstance, type BackendModule, type i18n } from "i18next";
import { initReactI18next } from "react-i18next";
import { isLanguage, languages, languageTag, pickLanguage, type Language } from "./languages.ts";
import type { Translation } from "./en.ts";

const storageKey = "hearth.language";
const texts: Record<Language, () => Promise<Translation>> = {
  en: async () => (await import("./en.ts")).en,
  zh: async () => (await import("./zh.ts")).zh,
};

/** Fetches the texts of the language that is shown, and of no other. */
const fetched: BackendModule = {
  type: "backend",
  init: () => undefined,
  read: (language, _namespace, done) => {
    if (!isLanguage(language)) return done(new Error(`no texts in ${language}`), null);
    texts[language]().then(
      (found) => done(null, found),
      (error: unknown) => done(error instanceof Error ? error : String(error), null),
    );
  },
};

/** Sets the translations up: the language chosen last, else the browser's. The page's `lang` follows. */
export async function createTranslations(
  storage: Storage,
  preferred: readonly string[],
  page: HTMLElement,
): Promise<i18n> {
  const translations = createInstance();
  translations.on("languageChanged", (language) => {
    page.lang = languageTag(language);
    storage.setItem(storageKey, language);
  });
  await translations
    .use(fetched)
    .use(initReactI18next)
    .init({
      lng: pickLanguage(storage.getItem(storageKey), preferred),
      // Each language is complete: the tests see to it.
      fallbackLng: false,
      supportedLngs: Object.keys(languages),
      // React escapes what it writes.
      interpolation: { escapeValue: false },
      react: { useSuspense: false },
    });
  return translations;
}
