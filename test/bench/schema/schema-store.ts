/** SchemaStore, of schemastore/schemastore: which of its schemas are a collection, and what that makes of their test instances. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import yaml from "yaml";
import { FileProblem } from "../../../server/app/collections/json-source.ts";
import { readCollection } from "../../../server/app/collections/read-collection.ts";
import { createSchemaCompiler } from "../../../server/app/collections/schema/compile-schema.ts";
import { serverMembers, type UserCollection } from "../../../server/app/collections/user-collection.ts";
import { withId, type TextIdKind } from "../../../server/contract/app/item-ids.ts";
import { isObject } from "../../../server/contract/is-object.ts";
import { textSchemaOf } from "../../../server/http/formats/coerce-text.ts";
import { readXml } from "../../../server/http/formats/read-xml.ts";
import { settledReading } from "../../../server/http/formats/reading.ts";
import { writeXml } from "../../../server/http/formats/xml-writer.ts";

const compile = createSchemaCompiler(5_000);

async function collectionOf(text: string): Promise<UserCollection | FileProblem> {
  try {
    return await readCollection("things", text, compile);
  } catch (error) {
    if (error instanceof FileProblem) return error;
    throw error;
  }
}

/** The instance of a test file; undefined where it is no object, or none that can be read here. */
function instanceIn(file: string): Record<string, unknown> | undefined {
  const text = readFileSync(file, "utf8").replace(/^\ufeff/, "");
  try {
    const value: unknown = file.endsWith(".json") ? JSON.parse(text) : yaml.parse(text, { merge: true });
    return isObject(value) ? (JSON.parse(JSON.stringify(value)) as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a value has all of another one. What it has beyond are defaults. */
function holds(value: unknown, sent: unknown): boolean {
  if (Array.isArray(sent))
    return Array.isArray(value) && value.length === sent.length && sent.every((one, at) => holds(value[at], one));
  if (isObject(sent)) return isObject(value) && Object.entries(sent).every(([name, one]) => holds(value[name], one));
  return Object.is(value, sent);
}

const withoutOwn = (item: object, idKind: TextIdKind | undefined) => {
  const isOwn = (name: string) => serverMembers.includes(name) && !(name === "id" && idKind !== undefined);
  return Object.fromEntries(Object.entries(item).filter(([name]) => !isOwn(name)));
};

/** What changes on the way of an item to a client and back, as JSON and as XML. */
function tripProblems({ definition }: UserCollection, sent: Record<string, unknown>): string[] {
  const { input, output } = definition;
  const stored: unknown = input.parse(structuredClone(sent));
  const answered = output.parse(definition.secrets?.hide(stored as object as Record<string, unknown>) ?? stored);
  const again: unknown = input.parse(structuredClone(answered));
  const xml = writeXml(answered, { relaxed: false }, textSchemaOf(input));
  const read: unknown = settledReading(readXml(xml, input), input);
  const missing = Object.entries(withoutOwn(sent, definition.idKind)).filter(
    ([name, value]) => !holds(answered[name], value),
  );
  return [
    ...(isDeepStrictEqual(stored, again) ? [] : ["PUT of what was answered"]),
    ...(isDeepStrictEqual(answered, read) ? [] : ["XML"]),
    ...missing.map(([name]) => `member ${name}`),
  ];
}

const schemaOf = (folder: string, test: string) => join(folder, "src/schemas/json", `${test}.json`);

/** False where a bar is missed. */
export async function measureSchemaStore(folder: string): Promise<boolean> {
  const files = globSync("*.json", { cwd: join(folder, "src/schemas/json") }).sort();
  const read = new Map<string, UserCollection>();
  const refusals: string[] = [];
  for (const file of files) {
    const made = await collectionOf(readFileSync(join(folder, "src/schemas/json", file), "utf8"));
    if (made instanceof FileProblem) refusals.push(`${file}:${String(made.place.line)}: ${made.message}`);
    else read.set(basename(file, ".json"), made);
  }
  const share = (100 * read.size) / files.length;
  console.log(
    `\nSchemaStore: ${String(files.length)} schemas, a collection: ${String(read.size)} (${share.toFixed(1)} %)`,
  );
  const reasons = Map.groupBy(refusals, (line) => line.replace(/^[^:]*:\d+: (?:\S+: )?/, "").replace(/"[^"]*"/g, "…"));
  for (const [reason, all] of [...reasons].sort((a, b) => b[1].length - a[1].length))
    console.log(`  ${String(all.length)} ${reason.slice(0, 120)} (${all[0]?.slice(0, 150) ?? ""})`);

  const counts = { right: 0, wrong: 0, trips: 0, changed: 0 };
  for (const [kind, isValid] of [
    ["test", true],
    ["negative_test", false],
  ] as const) {
    const root = join(folder, "src", kind);
    if (!existsSync(root)) continue;
    for (const test of globSync("**/*.{json,yaml,yml}", { cwd: root }).sort()) {
      const collection = read.get(dirname(test).split("/")[0] ?? "");
      const written = collection && existsSync(schemaOf(folder, dirname(test))) && instanceIn(join(root, test));
      if (!collection || !written) continue;
      const { idKind } = collection.definition;
      const instance = idKind === undefined ? written : withId(idKind, written);
      const { error } = collection.definition.input.safeParse(structuredClone(instance));
      if ((error === undefined) === isValid) counts.right++;
      else {
        counts.wrong++;
        console.log(
          `  ${kind}/${test}: ${error?.issues[0]?.path.join(".") ?? ""} ${error?.issues[0]?.message ?? "accepted"}`,
        );
      }
      if (error !== undefined) continue;
      counts.trips++;
      const problems = tripProblems(collection, instance);
      if (problems.length > 0) console.log(`  ${kind}/${test} changes: ${problems.join(", ").slice(0, 200)}`);
      if (problems.length > 0) counts.changed++;
    }
  }
  console.log(`  test instances: right ${String(counts.right)}, wrong ${String(counts.wrong)}`);
  console.log(`  round trips: ${String(counts.trips)}, changed ${String(counts.changed)}`);
  return share >= 75 && counts.wrong === 0 && counts.changed === 0;
}
