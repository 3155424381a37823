/** Marks a template that Jinja2 refuses, too. */
export const refused = Symbol("refused");

/** Templates by topic, each with its text. */
export type Probes = Readonly<Record<string, readonly (readonly [template: string, text: string | typeof refused])[]>>;
