import type { ValuesIn } from "../../server/contract/messages/message.ts";
import { chineseShell } from "./chinese.ts";
import { englishShell } from "./english.ts";

export type ShellLanguage = "en" | "zh";
type Catalogue = typeof englishShell;
type Code = keyof Catalogue;

/** A text of the shell by its code, with the values that it names. */
export type ShellText = <C extends Code>(code: C, ...values: ValuesIn<Catalogue[C]>) => string;

const catalogues: Record<ShellLanguage, Readonly<Record<Code, string>>> = { en: englishShell, zh: chineseShell };

export const languageOfLocale = (locale: string): ShellLanguage =>
  locale.toLowerCase().startsWith("zh") ? "zh" : "en";

/** @param language is asked for each text, because the language changes while the program runs */
export const createShellText =
  (language: () => ShellLanguage): ShellText =>
  (code, ...[values]) =>
    catalogues[language()][code].replace(/\{(\w+)\}/g, (_, name: string) =>
      String((values as Readonly<Record<string, unknown>> | undefined)?.[name]),
    );
