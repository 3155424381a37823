import { z } from "zod";
import type { Call, Conversation, Json } from "../corpus/chat.ts";
import type { Language } from "../corpus/language.ts";
import type { Scalar } from "./values.ts";

/** What counts as a right answer. */
export type Expected =
  { readonly parts: readonly string[] } | { readonly text: string } | { readonly call: Call } | { readonly json: Json };

/** Something to do: what was said before, and the answer to learn. */
export interface Task {
  readonly kind: string;
  readonly language: Language;
  readonly conversation: Conversation;
  readonly answer: string;
  readonly expected: Expected;
  /** The JSON Schema that the service is to keep the answer to. */
  readonly schema?: Json;
}

export const askedOnly = (content: string): Conversation => ({ messages: [{ role: "user", content }] });

/** Fills `{name}` in a template. */
export const fill = (template: string, values: Readonly<Record<string, Scalar>>) =>
  template.replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole));

/** Templates to learn from, and those that were kept back. */
export const templatesSchema = z.strictObject({ asked: z.array(z.string()), judgedBy: z.array(z.string()) });
