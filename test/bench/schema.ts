/**
 * What grammars make of schemas, judged text by text by the engine's own matcher. `npm run bench -- schema FOLDER…` takes
 * public suites from checkouts of guidance-ai/jsonschemabench and json-schema-org/JSON-Schema-Test-Suite, which collections
 * are judged by, too, and SchemaStore/schemastore, which only they are. Members that a schema allows without naming them are
 * let in. Behind them, and without a folder: random schemas and answers, and the
 * speed of large schemas.
 * HEARTH_BENCH_EACH=n takes every n-th schema, HEARTH_BENCH_DETAIL=1 names cases.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { measureSchemaStore } from "./schema/schema-store.ts";
import { measureCollections } from "./schema/collections.ts";
import { createJudges } from "./schema/judges.ts";
import type { Judgement, SchemaCase } from "./schema/judge.ts";
import { measureAnswers, measureGenerated } from "./schema/generated.ts";
import { measureLarge } from "./schema/large.ts";
import { suitesIn, type Suite } from "./schema/suites.ts";
import { sorted } from "./statistics.ts";

const each = Number(process.env["HEARTH_BENCH_EACH"] ?? 1);
const detail = process.env["HEARTH_BENCH_DETAIL"] !== undefined;

const percent = (part: number, whole: number) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;

/** "invalid format: the schema keyword "not" at #/… cannot be enforced: why" → `not: why`. */
const reasonOf = (refusal: string) =>
  refusal.replace(/^invalid format: the schema keyword "([^"]*)" at .*? cannot be enforced(: )?/s, "$1$2").slice(0, 90);

function printTimes(name: string, values: readonly number[]): void {
  const order = sorted(values);
  const at = (share: number) => (order[Math.min(order.length - 1, Math.floor(share * order.length))] ?? 0).toFixed(1);
  console.log(`  ${name}: median ${at(0.5)} ms, p95 ${at(0.95)} ms, max ${at(1)} ms`);
}

async function measure({ name, cases, bar }: Suite): Promise<boolean> {
  const taken = cases.filter((_, at) => at % each === 0);
  using judges = createJudges();
  const judged: { one: SchemaCase; judgement: Judgement }[] = [];
  const dead: string[] = [];
  for (const one of taken) {
    const judgement = await judges.judge(one);
    if (typeof judgement === "string") {
      dead.push(`${one.name} (${judgement})`);
      judges.replace();
    } else judged.push({ one, judgement });
  }
  const failed = judged.filter(({ judgement }) => judgement.failure !== undefined);
  const refusals = judged.flatMap(({ one, judgement: { refusal } }) =>
    refusal === undefined ? [] : [{ one, refusal }],
  );
  const made = judged.filter(({ judgement }) => judgement.refusal === undefined && judgement.failure === undefined);
  const accepting = made.filter(({ judgement }) => judgement.accepted.length > 0);
  const narrow = made.filter(({ judgement }) => judgement.accepted.length === 0 && judgement.refused.length > 0);
  const passing = made.filter(({ judgement }) => judgement.accepted.length + judgement.refused.length === 0).length;

  console.log(`\n${name}: ${String(taken.length)} schemas`);
  console.log(`  passing: ${String(passing)} (${percent(passing, taken.length)})`);
  console.log(`  invalid accepted: ${String(accepting.length)} schemas`);
  for (const { one, judgement } of accepting) console.log(`    ${one.name}: tests ${judgement.accepted.join(", ")}`);
  console.log(`  valid refused: ${String(narrow.length)} schemas`);
  if (detail)
    for (const { one, judgement } of narrow) console.log(`    ${one.name}: tests ${judgement.refused.join(", ")}`);
  console.log(`  no grammar: ${String(refusals.length)} schemas`);
  const reasons = Map.groupBy(refusals, ({ refusal }) => reasonOf(refusal));
  for (const [reason, all] of [...reasons].sort((a, b) => b[1].length - a[1].length))
    console.log(`    ${String(all.length)} ${reason}${detail ? ` (${all[0]?.one.name ?? ""})` : ""}`);
  console.log(`  crashes: ${String(dead.length + failed.length)}`);
  for (const what of dead) console.log(`    ${what}`);
  for (const { one, judgement } of failed) console.log(`    ${one.name}: ${judgement.failure ?? ""}`);
  const slow = made.toSorted((a, b) => b.judgement.makeMs - a.judgement.makeMs).slice(0, 8);
  if (detail)
    for (const { one, judgement } of slow)
      console.log(`    ${one.name}: ${judgement.makeMs.toFixed(0)} ms, ${String(judgement.size)} characters`);
  printTimes(
    "grammars made",
    made.map(({ judgement }) => judgement.makeMs),
  );
  printTimes(
    "grammars read by the engine",
    made.map(({ judgement }) => judgement.readMs),
  );

  const isRight = accepting.length === 0 && dead.length + failed.length === 0;
  return isRight && (bar === undefined || (100 * passing) / taken.length >= bar);
}

const suites = process.argv.slice(2).flatMap(suitesIn);
for (const suite of suites) {
  if (suite.isForGrammars !== false && !(await measure(suite))) process.exitCode = 1;
  if (suite.isForCollections === true && !measureCollections(suite)) process.exitCode = 1;
}
for (const folder of process.argv.slice(2))
  if (existsSync(join(folder, "src/schemas/json")) && !(await measureSchemaStore(folder))) process.exitCode = 1;
await measureLarge();
for (const measureRandom of [measureGenerated, measureAnswers]) if (!(await measureRandom(each))) process.exitCode = 1;
