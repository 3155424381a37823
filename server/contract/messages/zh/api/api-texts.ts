/** The texts of an API's description in one language. */
export interface ApiTexts {
  readonly title: string;
  /** Markdown about all operations. */
  readonly introduction: string;
  /** By name. */
  readonly tags: Readonly<Record<string, string>>;
  /** What the items of the built-in collections are, by collection. */
  readonly collections?: Readonly<Record<string, string>>;
  /** By operation id; `*.list` and others are for every collection, whose name replaces `{plural}`. */
  readonly operations: Readonly<Record<string, string>>;
}
