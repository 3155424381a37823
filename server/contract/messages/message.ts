/** Messages for people: a code of the catalogue with the values that its text names. Only format.ts makes a text of it. */
import type { catalogue } from "./english.ts";

type Catalogue = typeof catalogue;
export type Code = keyof Catalogue;
type TextOf<C extends Code> = Catalogue[C] extends readonly [number, string, infer Text] ? Text : Catalogue[C];

export interface Message {
  readonly code: Code;
  readonly values?: Readonly<Record<string, Value>>;
}

/** A message, or a text that is the same in every language. */
export type Text = Message | string;
export type Value = Text | number | readonly (Text | number)[];

/** The names in braces; `{"min"` begins no name. */
type Names<Template> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `"${string}` ? never : Name) | Names<Rest>
  : never;

type Values<C extends Code> = { readonly [Name in Names<TextOf<C>>]: Value };
/** The values may be left out where the text names none. */
export type ValuesOf<C extends Code> = [Names<TextOf<C>>] extends [never]
  ? [values?: Readonly<Record<string, never>> | undefined]
  : [values: Values<C>];

export const message = <C extends Code>(code: C, ...[values]: ValuesOf<C>): Message =>
  values === undefined ? { code } : { code, values };
