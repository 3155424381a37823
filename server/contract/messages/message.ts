/** Messages for people: a code of the catalogue with the values that its text names. Only format.ts makes a text of it. */
import type { catalogue } from "./english.ts";

type Catalogue = typeof catalogue;
export type Code = keyof Catalogue;
type TextOf<C extends Code> = Catalogue[C] extends readonly [number, string, infer Text] ? Text : Catalogue[C];

export interface Message {
  readonly code: Code;
  readonly values?: Readonly<Record<string, MessageValue>>;
}

/** A message, or a text that is the same in every language. */
export type Text = Message | string;
export type MessageValue = Text | number | readonly (Text | number)[];

/** The names in braces; `{"min"` begins no name. */
type Names<Template> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `"${string}` ? never : Name) | Names<Rest>
  : never;

/** The values of a text. They may be left out where it names none. */
export type ValuesIn<Template> = [Names<Template>] extends [never]
  ? [values?: Readonly<Record<string, never>> | undefined]
  : [values: { readonly [Name in Names<Template>]: MessageValue }];
export type ValuesOf<C extends Code> = ValuesIn<TextOf<C>>;

export const message = <C extends Code>(code: C, ...[values]: ValuesOf<C>): Message =>
  values === undefined ? { code } : { code, values };
