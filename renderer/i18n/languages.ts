/** Each language under its own name. */
export const languages = { en: "English", zh: "简体中文" } as const;
export type Language = keyof typeof languages;

/** The tag that formats and the page's `lang` attribute use. */
const tags: Record<Language, string> = { en: "en", zh: "zh-CN" };

export const isLanguage = (name: string | undefined): name is Language => name !== undefined && name in languages;

/** The first language that is both wanted and there; English where none is. */
export function pickLanguage(stored: string | null, preferred: readonly string[]): Language {
  const wanted = [...(stored === null ? [] : [stored]), ...preferred].map((tag) => tag.toLowerCase().split("-")[0]);
  return wanted.find(isLanguage) ?? "en";
}

export const languageTag = (language: string): string => (isLanguage(language) ? tags[language] : language);
