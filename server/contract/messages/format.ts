import type { Message, Text, Value } from "./message.ts";

/** The texts of a language by their codes. */
export type Texts = Readonly<Partial<Record<Message["code"], string>>>;

/** Marks before which a message within a text loses its full stop. */
const closing = /^[.。;；)）]/;

/** Says a message in the language of `texts`; a code that they lack stands for itself. */
export function format(text: Text, texts: Texts): string {
  if (typeof text === "string") return text;
  const { code, values = {} } = text;
  return (texts[code] ?? code).replace(/\{(\w+)\}(?=(.?))/gu, (_, name: string, next: string) => {
    const value = formatValue(values[name] ?? "", texts);
    return typeof values[name] === "object" && closing.test(next) ? value.replace(/[.。]$/, "") : value;
  });
}

const formatValue = (value: Value, texts: Texts): string =>
  Array.isArray(value)
    ? value.map((one: Text | number) => formatValue(one, texts)).join(", ")
    : typeof value === "number"
      ? String(value)
      : format(value as Text, texts);
