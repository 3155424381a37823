/** What a service and its template thread say to each other. */

/** What the thread is started with. */
export interface TemplateLimits {
  /** How long a template may work on one text. */
  readonly deadlineMs: number;
  /** How much a template may make beyond what it is given. */
  readonly mostCharacters: number;
}

export interface TemplateAsk {
  readonly id: number;
  readonly text: string;
  /** JSON of the variables; undefined to learn only whether the text is a template. */
  readonly variables: string | undefined;
}

export interface TemplateFailure {
  /** `refused`: by the template itself, or because the text is none. */
  readonly fault: "refused" | "out_of_time" | "too_large";
  readonly message: string;
}

export interface TemplateAnswer {
  readonly id: number;
  readonly output?: string;
  readonly failure?: TemplateFailure;
}
