/** Public suites in a folder, and schemas that are generated where there are none. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SchemaCase } from "./judge.ts";

export interface Suite {
  readonly name: string;
  readonly cases: readonly SchemaCase[];
  /** Percent that pass, at least; undefined: only accepted texts are judged. */
  readonly bar?: number;
  /** Whether collections are judged by it, too. */
  readonly isForCollections?: boolean;
  /** Whether grammars are, as all are unless it says otherwise. */
  readonly isForGrammars?: boolean;
  /** The `$schema` of schemas that have none. */
  readonly defaultSchema?: string | undefined;
}

const currentDraft = "draft2020-12";
const defaultSchemas: Readonly<Record<string, string>> = {
  draft4: "http://json-schema.org/draft-04/schema#",
  draft6: "http://json-schema.org/draft-06/schema#",
  draft7: "http://json-schema.org/draft-07/schema#",
  "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
  [currentDraft]: "https://json-schema.org/draft/2020-12/schema",
};

interface Group {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly { readonly data: unknown; readonly valid: boolean }[];
}

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;
/** Numbers that JavaScript would round, or write in another way, stay as they are written. */
const asWritten: Reviver = (_, value, { source }) =>
  typeof value === "number" && source !== undefined
    ? (JSON as unknown as { rawJSON(source: string): unknown }).rawJSON(source)
    : value;
const parseAsWritten = JSON.parse as (text: string, reviver?: Reviver) => unknown;

/** The cases of a file's text: one group, or a list of them. */
function casesIn(text: string, nameOf: (group: Group) => string): SchemaCase[] {
  const [groups, written] = [JSON.parse(text), parseAsWritten(text, asWritten)].map((all) => [all].flat() as Group[]);
  return (groups ?? []).map((group, at) => ({
    name: nameOf(group),
    schema: group.schema,
    tests: (written?.[at]?.tests ?? []).map(({ data, valid }) => ({ text: JSON.stringify(data), valid })),
  }));
}

const filesIn = (folder: string) =>
  globSync("**/*.json", { cwd: folder })
    .sort()
    .map((file) => ({ file, text: readFileSync(join(folder, file), "utf8") }));

/** MaskBench, of guidance-ai/jsonschemabench: a schema and its tests in each file. */
const maskBench = (folder: string): Suite => ({
  name: "MaskBench",
  cases: filesIn(folder).flatMap(({ file, text }) => casesIn(text, () => file.replace(/\.json$/, ""))),
  bar: 82,
});

/** JSON-Schema-Test-Suite, of json-schema-org: groups of tests in each file. Formats are asserted here. */
const testSuite = (folder: string, draft: string): Suite => ({
  name: `JSON-Schema-Test-Suite, ${draft}`,
  cases: filesIn(join(folder, draft)).flatMap(({ file, text }) =>
    casesIn(text, ({ description }) => `${file} ${description}`),
  ),
  isForCollections: true,
  isForGrammars: draft === currentDraft,
  defaultSchema: defaultSchemas[draft],
});

/** The suites that the folders hold. */
export function suitesIn(folder: string): Suite[] {
  const found: Suite[] = [];
  const [masks, tests] = [join(folder, "maskbench/data"), join(folder, "tests")];
  if (existsSync(masks)) found.push(maskBench(masks));
  for (const draft of Object.keys(defaultSchemas))
    if (existsSync(join(tests, draft))) found.push(testSuite(tests, draft));
  return found;
}
