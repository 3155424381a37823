/** Generated templates, rendered by Hearth and by Python's own Jinja2, which is Debian's `python3-jinja2`. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { parseTemplate, renderTemplate } from "../../server/foreign/jinja/template.ts";
import { fuzzSeed } from "../support/fuzz-seed.ts";
import { jinjaTemplate, jinjaVariables } from "../support/model/random-jinja.ts";

const program = join(import.meta.dirname, "../support/model/render-jinja.py");

/** The texts of Python; null for a template that it refuses. */
function renderByPython(templates: readonly string[]): readonly (string | null)[] {
  const input = templates.map((template) => JSON.stringify({ template, variables: jinjaVariables })).join("\n");
  // Debian's own Python: another one has no packages of the system.
  const { stdout, stderr } = spawnSync("/usr/bin/python3", [program], { input, encoding: "utf8", maxBuffer: 1 << 28 });
  expect(stderr).toBe("");
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as string | null);
}

function render(template: string): string | null {
  try {
    return renderTemplate(parseTemplate(template), jinjaVariables, 1_000_000);
  } catch {
    return null;
  }
}

/** Python writes objects with their address in memory. */
const hasAddress = (text: string | null) => text !== null && /at 0x/i.test(text);

it("2,000 generated templates are written, or refused, as by Python's Jinja2", () => {
  const templates = fc.sample(jinjaTemplate, { numRuns: 2000, seed: fuzzSeed });
  const expected = renderByPython(templates);
  expect(expected.filter((text) => text !== null).length).toBeGreaterThan(400);
  const differing = templates
    .map((template, at) => ({ template, python: expected[at] as string | null, hearth: render(template) }))
    .filter(({ python, hearth }) => python !== hearth && !hasAddress(python));
  expect(differing).toEqual([]);
}, 120_000);
