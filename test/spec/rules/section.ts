/** One thing that the specification asks for. */
export interface Rule {
  /** `<section> <number>`; test titles quote it in brackets. */
  readonly id: string;
  readonly section: string;
  readonly rule: string;
}

/** The rules of a section, numbered from 1. */
export const section = (name: string, rules: readonly string[]): Rule[] =>
  rules.map((rule, index) => ({ id: `${name} ${String(index + 1)}`, section: name, rule }));

/** The rules of a section with numbers of their own, as the statuses of the error table. */
export const numbered = (name: string, rules: readonly (readonly [number: string, rule: string])[]): Rule[] =>
  rules.map(([number, rule]) => ({ id: `${name} ${number}`, section: name, rule }));
