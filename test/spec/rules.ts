/** Every rule of the specification, as docs/specification.md has it. Tests quote the id at the start of their title. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readPage } from "../../build/docs/read-page.ts";
import { root } from "../../build/root.ts";

/** One thing that the specification asks for. */
export interface Rule {
  /** `<section> <number>`; test titles quote it in brackets. */
  readonly id: string;
  readonly section: string;
  readonly rule: string;
}

const { sections } = readPage(readFileSync(join(root, "docs/specification.md"), "utf8"));

export const rules: readonly Rule[] = sections.flatMap(({ heading, rules }) =>
  rules.map(({ number, text }) => ({ id: `${heading} ${number}`, section: heading, rule: text })),
);
