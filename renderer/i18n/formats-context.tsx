import { createContext, useContext, useMemo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { createFormats, type Formats } from "./formats.ts";
import { languageTag } from "./languages.ts";

const FormatsContext = createContext<Formats | undefined>(undefined);

/** Makes the formats of the page's language once for all who use them: to make them costs more than to use them. */
export function FormatsProvider({ children }: { children: ReactNode }) {
  const { i18n } = useTranslation();
  const formats = useMemo(() => createFormats(languageTag(i18n.language)), [i18n.language]);
  return <FormatsContext value={formats}>{children}</FormatsContext>;
}

/** The formats of the language that the page is shown in. */
export function useFormats(): Formats {
  const formats = useContext(FormatsContext);
  if (!formats) throw new Error("no FormatsProvider above this component");
  return formats;
}
