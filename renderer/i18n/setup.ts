import { createInstance, type i18n } from "i18next";
import { initReactI18next } from "react-i18next";
import { untilFetched } from "../ui/lazy-part.ts";
import { serviceKey } from "../ui/services.ts";
import { isLanguage, languages, languageTag, pickLanguage, type Language } from "./languages.ts";

const storageKey = "hearth.language";
/** The only namespace of i18next. */
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

const nameOf = (language: string, file: string) => `./${language}/${file}.ts`;

/** The shell's texts under their own keys, a page's under the key of the page. */
async function fetchTexts(language: Language, file: string): Promise<Record<string, unknown>> {
  const found = await files[language][nameOf(language, file)]?.();
  if (found === undefined) throw new Error(`no texts ${file} in ${language}`);
  const { shell, ...pages } = found as Record<string, Record<string, unknown>>;
  return { ...shell, ...pages };
}

/** Sets the translations up: the language chosen last, else the browser's. The page's `lang` follows. */
export function createTranslations(storage: Storage, preferred: readonly string[], page: HTMLElement): Translations {
  const translations = createInstance();
  /** The files of what is shown, or is about to be. */
  const opened = new Set(["shell"]);
  translations.on("languageChanged", (language) => {
    page.lang = languageTag(language);
    storage.setItem(storageKey, language);
  });
  const chosen = pickLanguage(storage.getItem(storageKey), preferred);
  let wanted = chosen;
  /** The files whose texts are there. */
  const present = new Set([nameOf(chosen, "shell")]);
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
  const fetchFile = async (language: Language, file: string) => {
    // The first page's texts are fetched together with the shell's, not after them.
    const [texts] = await Promise.all([fetchTexts(language, file), ready]);
    translations.addResourceBundle(language, namespace, texts, true);
    present.add(nameOf(language, file));
  };
  /** The language that is shown; before the shell's texts are there, the one that will be. */
  const currentLanguage = () => (isLanguage(translations.language) ? translations.language : chosen);
  const isPresent = (file: string) => present.has(nameOf(currentLanguage(), file));
  const load = async (file: string) => {
    opened.add(file);
    try {
      // The language may change meanwhile.
      while (!isPresent(file)) await fetchFile(currentLanguage(), file);
    } catch (failure) {
      opened.delete(file);
      throw failure;
    }
  };
  const choose = async (language: Language) => {
    wanted = language;
    // Before its texts are there: the console may be left meanwhile.
    storage.setItem(storageKey, language);
    const lacking = () => [...opened].filter((file) => !present.has(nameOf(language, file)));
    try {
      // Pages may be opened meanwhile.
      for (let files = lacking(); files.length > 0; files = lacking())
        await Promise.all(files.map((file) => fetchFile(language, file)));
    } catch (failure) {
      if (language === wanted) storage.setItem(storageKey, currentLanguage());
      throw failure;
    }
    if (language === wanted) await translations.changeLanguage(language);
  };
  return { i18n: translations, ready, load: (file) => (isPresent(file) ? undefined : load(file)), choose };
}
