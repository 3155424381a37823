import { useMantineColorScheme, type MantineColorScheme } from "@mantine/core";
import { Languages, Monitor, Moon, Sun } from "lucide-react";
import { useTranslation } from "react-i18next";
import { languages, languageTag, type Language } from "../../i18n/languages.ts";
import { ChoiceButton } from "./choice-button.tsx";
import { useChooseLanguage } from "./use-choose-language.ts";

const themeIcons = { light: Sun, dark: Moon, auto: Monitor };

export function ThemeSwitch() {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <ChoiceButton
      label={t("top.theme")}
      icon={themeIcons[colorScheme]}
      value={colorScheme}
      choices={[
        { value: "light", label: t("top.themeLight") },
        { value: "dark", label: t("top.themeDark") },
        { value: "auto", label: t("top.themeAuto") },
      ]}
      onChoose={(theme) => setColorScheme(theme as MantineColorScheme)}
    />
  );
}

export function LanguageSwitch() {
  const { t, i18n } = useTranslation();
  const chooseLanguage = useChooseLanguage();
  return (
    <ChoiceButton
      label={t("top.language")}
      icon={Languages}
      value={i18n.language === "zh" ? "zh" : "en"}
      choices={Object.entries(languages).map(([value, label]) => ({
        value,
        label,
        lang: languageTag(value),
      }))}
      onChoose={(language) => void chooseLanguage(language as Language)}
    />
  );
}
