import { Markup } from "../values/value.ts";

const references: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&#34;",
  "'": "&#39;",
};

/** The text with its special characters escaped, unless they are. */
export const escapeMarkup = (value: string | Markup): Markup =>
  value instanceof Markup ? value : new Markup(value.replace(/[&<>"']/g, (found) => references[found] as string));
