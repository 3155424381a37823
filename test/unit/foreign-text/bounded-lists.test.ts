import { globSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { dictionary, list, mostProblems } from "../../../server/contract/bounded-lists.ts";

const many = 100_000;
const problemsOf = (schema: z.ZodType, value: unknown) =>
  (schema.safeParse(value).error?.issues ?? []).map(({ path, message }) => ({ path, message }));

describe("a list of a client", () => {
  const pairs: [string, (item: z.ZodType) => z.ZodType, (item: z.ZodType) => z.ZodType][] = [
    ["alone", list, z.array],
    ["of lists", (item) => list(list(item)), (item) => z.array(z.array(item))],
    ["with bounds", (item) => list(item).min(1).max(3), (item) => z.array(item).min(1).max(3)],
    ["of members", (item) => dictionary(z.string().max(2), item), (item) => z.record(z.string().max(2), item)],
  ];
  const values = [
    1,
    "a",
    null,
    [],
    [1],
    ["a"],
    ["a", 1, "b", -1],
    [1, 2, 3, 4],
    [["a"], [1, 2], 3],
    {},
    { a: 1, b: "b", long: 2, c: 3 },
  ];
  it.each(pairs)("%s is judged as zod's is", (_name, bounded, plain) => {
    for (const item of [z.string(), z.number().min(0), z.union([z.string(), z.literal(1)]), z.unknown()])
      for (const value of values) {
        expect(problemsOf(bounded(item), value)).toEqual(problemsOf(plain(item), value));
        expect(bounded(item).safeParse(value).data).toEqual(plain(item).safeParse(value).data);
      }
  });

  it.each([
    ["of wrong types", list(z.string()), Array<unknown>(many).fill(1)],
    ["of numbers out of bounds", list(z.number().min(0)), Array<unknown>(many).fill(-1)],
    ["of lists", list(list(z.string())), Array<unknown>(many).fill([1, 1])],
    [
      "of members",
      dictionary(z.string(), z.string()),
      Object.fromEntries(Array.from({ length: many }, (_, at) => [`m${String(at)}`, 1])),
    ],
  ])("%s is judged no further than to a number of problems", (_name, schema, value) => {
    const problems = problemsOf(schema, value);
    expect(problems.length).toBeGreaterThanOrEqual(mostProblems);
    expect(problems.length).toBeLessThan(2 * mostProblems);
  });
});

/** What strangers send, by file and name: bodies of endpoints, inputs of resources, and what is read in a shape of its own. */
const bodies = new Map<string, z.ZodType>();
const ofRequests = /RequestSchema$|^openAi.*Schema$|^providerStateSchema$/;
for (const file of globSync(["server/contract/**/*.ts", "server/app/resources/*.ts"])) {
  const module = (await import(pathToFileURL(resolve(file)).href)) as Record<string, unknown>;
  for (const [name, value] of Object.entries(module)) {
    const { body, input } = (value ?? {}) as { body?: unknown; input?: unknown };
    const schema = [body, input, ofRequests.test(name) && value].find((one) => one instanceof z.ZodType);
    if (schema && name !== "recordedRequestSchema") bodies.set(`${file}: ${name}`, schema);
  }
}

/** Whether anything can be wrong with many items or members. */
function isUnbounded({ _zod: { def, traits } }: z.core.$ZodTypes): boolean {
  if (def.type === "array") return def.element._zod.def.type !== "unknown" && !traits.has("BoundedList");
  if (def.type !== "record" || def.keyType._zod.values) return false;
  return def.valueType._zod.def.type !== "unknown" && !traits.has("BoundedRecord");
}

it("the bodies of requests have no other lists", () => {
  const unbounded = new Set<string>();
  const override = (name: string) => (context: { zodSchema: z.core.$ZodTypes }) => {
    if (isUnbounded(context.zodSchema)) unbounded.add(name);
  };
  for (const [name, schema] of bodies)
    z.toJSONSchema(schema, { io: "input", unrepresentable: "any", override: override(name) });
  expect([...unbounded]).toEqual([]);
  expect(bodies.size).toBeGreaterThan(50);
});
