import { expect, it } from "vitest";
import { chineseShell } from "../../../electron/texts/chinese.ts";
import { englishShell } from "../../../electron/texts/english.ts";
import { createShellText, type ShellLanguage } from "../../../electron/texts/shell-text.ts";

it("names the same values in the texts of both languages", () => {
  const namesIn = (texts: Readonly<Record<string, string>>) =>
    Object.entries(texts).map(([code, text]) => [code, text.match(/\{\w+\}/g)]);
  expect(namesIn(chineseShell)).toEqual(namesIn(englishShell));
});

it("speaks the language that is chosen when a text is needed", () => {
  let language: ShellLanguage = "en";
  const text = createShellText(() => language);
  expect(text("notice.payments", { count: 3 })).toBe("3 payments");
  language = "zh";
  expect(text("notice.payments", { count: 3 })).toBe("3 笔支付");
});
