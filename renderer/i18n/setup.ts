import { createInstance, type i18n } from "i18next";
import { initReactI18next } from "react-i18next";
import { untilFetched } from "../ui/lazy-part.ts";
import { serviceKey } from "../ui/services.ts";
import { isLanguage, languages, languageTag, pickLanguage, type Language } from "./languages.ts";

const storageKey = "hearth.language";
/** Of i18next; there is one. */
const namespace = "translation";
/** Each file of texts: those of the shell, and those of each page, which are fetched with the page. */
const files: Record<Language, Record<string, () => Promise<unknown>>> = {
  en: import.meta.glob("./en/*.ts"),
  zh: import.meta.glob("./zh/*.ts"),
};

export interface Translations {
  readonly i18n: i18n;
  /** Resolves when the shell's texts are there. */
  readonly ready: Promise<unknown>;
  /** Fetches the texts of a page by the name of their file; undefined when they are there already. */
  load: (page: string) => Promise<void> | undefined;
  /** Changes the language as soon as its texts are there; it stays as it is when they cannot be fetched. */
  choose: (language: Language) => Promise<void>;
}

export const chooseLanguageKey = serviceKey<Translations["choose"]>("chooseLanguage");

/** The shell's texts under their own keys, a page's under the key of the page. */
async function fetchTexts(language: Language, file: string): Promise<Record<string, unknown>> {
  const found = await files[language][`./${language}/${file}.ts`]?.();
  if (found === undefined) throw new Error(`no texts ${file} in ${language}`);
  const { shell, ...pages } = found as Record<string, Record<string, unknown>>;
  return { ...shell, ...pages };
}

/** Sets the translations up: the language chosen last, else the browser's. The page's `lang` follows. */
export function createTranslations(storage: Storage, preferred: readonly string[], page: HTMLElement): Translations {
  const translations = createInstance();
  const opened = new Set(["shell"]);
  translations.on("languageChanged", (language) => {
    page.lang = languageTag(language);
    storage.setItem(storageKey, language);
  });
  const chosen = pickLanguage(storage.getItem(storageKey), preferred);
  let wanted = chosen;
  const ready = untilFetched(() => fetchTexts(chosen, "shell")).then((texts) =>
    translations.use(initReactI18next).init({
      lng: chosen,
      resources: { [chosen]: { [namespace]: texts } },
      // Each language is complete: the tests see to it.
      fallbackLng: false,
      supportedLngs: Object.keys(languages),
      // React escapes what it writes.
      interpolation: { escapeValue: false },
      react: { useSuspense: false },
    }),
  );
  const fetchPage = async (file: string) => {
    // Its texts are fetched together with the shell's, not after them.
    await Promise.all([ready, fetchTexts(chosen, file)]);
    // A language that was shown before is not fetched again, so it gets the page's texts too.
    const visible = Object.keys(files)
      .filter(isLanguage)
      .filter((tag) => translations.hasResourceBundle(tag, namespace));
    const found = await Promise.all(visible.map((language) => fetchTexts(language, file)));
    for (const [index, language] of visible.entries())
      translations.addResourceBundle(language, namespace, found[index], true);
  };
  const load = async (file: string) => {
    opened.add(file);
    try {
      await fetchPage(file);
    } catch (failure) {
      opened.delete(file);
      throw failure;
    }
  };
  const choose = async (language: Language) => {
    wanted = language;
    const found = await Promise.all([...opened].map((file) => fetchTexts(language, file)));
    for (const texts of found) translations.addResourceBundle(language, namespace, texts, true);
    if (language === wanted) await translations.changeLanguage(language);
  };
  return { i18n: translations, ready, load: (file) => (opened.has(file) ? undefined : load(file)), choose };
}
