import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { createFormats, type Formats } from "./formats.ts";
import { languageTag } from "./setup.ts";

/** The formats of the language that the page is shown in. */
export function useFormats(): Formats {
  const { i18n } = useTranslation();
  return useMemo(() => createFormats(languageTag(i18n.language)), [i18n.language]);
}
