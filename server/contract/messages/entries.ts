/** A text whose values stand in braces. One of a refusal comes after its status and the code of its error body. */
export type Entry = string | readonly [status: number, wireCode: string, text: string];
export type Entries = Readonly<Record<string, Entry>>;

/** The texts by their codes. */
export const textsOf = <Code extends string>(entries: Readonly<Record<Code, Entry>>) =>
  Object.fromEntries(
    Object.entries<Entry>(entries).map(([code, entry]) => [code, typeof entry === "string" ? entry : entry[2]]),
  ) as Record<Code, string>;
