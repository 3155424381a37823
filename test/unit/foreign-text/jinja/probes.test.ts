/** Templates with the texts that Python's Jinja2 makes of them, with the settings of Hugging Face's transformers. */
import { describe, expect, it } from "vitest";
import { parseTemplate, renderTemplate } from "../../../../server/foreign/jinja/template.ts";
import { expressionProbes } from "./expression-probes.ts";
import { filterProbes } from "./filter-probes.ts";
import { refused } from "./probe.ts";
import { statementProbes } from "./statement-probes.ts";

const variables = {
  d: { a: 1, b: "x", items: [1, 2], get: null },
  l: [3, 1, 2],
  s: "Hello, World",
  n: 7,
  r: [{ name: "x", n: 2, sub: { k: 1 } }, { name: "Y", n: 1, sub: { k: 2 } }, { name: "x" }],
  nil: null,
};

function render(template: string): string | typeof refused {
  try {
    return renderTemplate(parseTemplate(template), variables, 100_000);
  } catch {
    return refused;
  }
}

const groups = { expressions: expressionProbes, filters: filterProbes, statements: statementProbes };

describe.each(Object.entries(groups))("the %s of Jinja2 are written as Python writes them:", (_group, probes) => {
  it.each(Object.entries(probes))("%s", (_topic, templates) => {
    expect(templates.map(([template]) => [template, render(template)])).toEqual(templates);
  });
});
