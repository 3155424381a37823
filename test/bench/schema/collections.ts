/** What collections make of schemas: the instances of a suite's required tests, judged as items are. */
import { isObject } from "../../../server/contract/is-object.ts";
import { createSchemaCompiler, type CompiledSchema } from "../../../server/app/collections/schema/compile-schema.ts";
import { SchemaError } from "../../../server/app/collections/schema/schema-error.ts";
import { draftOf, upgradeSchema } from "../../../server/app/collections/schema/upgrade-schema.ts";
import type { SchemaCase } from "./judge.ts";
import type { Suite } from "./suites.ts";

const compile = createSchemaCompiler(5_000);

/** Where collections differ on purpose; docs/reference/collection-schemas.md has the reasons. */
const isOurChoice = ({ name }: SchemaCase) => name.startsWith("format.json ");

function checkOf(schema: unknown, $schema: string | undefined): CompiledSchema | SchemaError {
  try {
    // A file holds an object: what is true or false stands inside.
    const whole = { $schema, ...(isObject(schema) ? schema : { allOf: [schema] }) };
    if (draftOf(whole) === undefined) return new SchemaError("a meta-schema of one's own", ["$schema"]);
    return compile(upgradeSchema(whole));
  } catch (error) {
    if (error instanceof SchemaError) return error;
    throw error;
  }
}

/** False when an instance is judged wrong. */
export function measureCollections({ name, cases, defaultSchema }: Suite): boolean {
  const required = cases.filter((one) => !one.name.startsWith("optional/"));
  const counts = { right: 0, refused: 0 };
  const wrong: { one: SchemaCase; line: string }[] = [];
  const reasons: string[] = [];
  for (const one of required) {
    const check = checkOf(one.schema, defaultSchema);
    if (check instanceof SchemaError) {
      counts.refused += one.tests.length;
      reasons.push(`${String(one.tests.length)} of ${one.name}: ${check.path.join("/")} ${check.message}`);
      continue;
    }
    for (const { text, valid } of one.tests) {
      const problems = check(JSON.parse(text));
      if ((problems.length === 0) === valid) counts.right++;
      else wrong.push({ one, line: `${one.name}: ${text}: ${valid ? JSON.stringify(problems) : "accepted"}` });
    }
  }
  const all = required.reduce((sum, { tests }) => sum + tests.length, 0);
  console.log(`\n${name}, by collections: ${String(all)} instances`);
  console.log(`  right: ${String(counts.right)}, wrong: ${String(wrong.length)}, refused: ${String(counts.refused)}`);
  for (const { line } of wrong) console.log(`    ${line}`);
  for (const line of reasons) console.log(`    refused ${line}`);
  return wrong.every(({ one }) => isOurChoice(one));
}
