/** The messages between a service and its template thread. */

/** The data that the thread starts with. */
export interface TemplateLimits {
  /** The maximum time for one text. */
  readonly deadlineMs: number;
  /** How many characters a template may produce beyond its input. */
  readonly mostCharacters: number;
}

export interface TemplateAsk {
  readonly id: number;
  readonly text: string;
  /** JSON of the variables; undefined only checks whether the text is a template. */
  readonly variables: string | undefined;
}

export interface TemplateFailure {
  /**
   * `refused`: by the template itself; `failed`: it cannot render these variables; `unsupported`: the text is no
   * template, or one that cannot be run here.
   */
  readonly kind: "refused" | "failed" | "unsupported" | "out_of_time" | "too_large";
  readonly message: string;
}

export interface TemplateAnswer {
  readonly id: number;
  readonly output?: string;
  readonly failure?: TemplateFailure;
}
