/** `hearth types` for collections and routes that are called as each other, or as what TypeScript, a browser or the client has. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCommand } from "../../support/process/run-command.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { typeErrors } from "../../support/type-errors.ts";

const ofTypeScript = [
  ...["array", "date", "error", "function", "iterable", "number", "object", "omit", "partial", "promise", "readonly"],
  ...["readonly-array", "record", "required", "string", "symbol"],
];
const ofRuntimes = ["blob", "file", "form-data", "headers", "request", "response"];
const ofTheClient = ["hearth-answer", "hearth-client", "hearth-client-options", "hearth-prefer", "hearth-refusal"];
const ofTheCalls = ["body", "prefer"];

const schema = {
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string" },
    prices: { type: "object", additionalProperties: { type: "integer" } },
    place: { type: "array", prefixItems: [{ type: "number" }, { type: "number" }], items: false, minItems: 2 },
    anything: { type: "object" },
  },
};

const use = `
import type { HearthAnswer, HearthClient, HearthClient_, Prefer, Record } from "./client.js";

export async function use(hearth: HearthClient) {
  const record: Record = (await hearth.createRecord({ body: { name: "a", prices: { tea: 3 }, place: [1, 2] } })).body.data;
  const price: number | undefined = record.prices?.["tea"];
  const place: [number, number] | undefined = record.place;
  const client: HearthClient_ = (await hearth.getHearthClient({ params: { id: 1 } })).body.data;
  const answer: HearthAnswer<{ data: Prefer }> = await hearth.updatePrefer({ params: { id: 1 }, body: { name: "b" } });
  // @ts-expect-error -- there are two numbers
  void (() => hearth.createRecord({ body: { name: "a", place: [1] } }));
  return { price, place, name: client.name, other: answer.body.data.name };
}
`;

it("compiles, and each collection has a type of its own", async () => {
  using project = temporaryFolder();
  const collections = join(project.path, "collections");
  mkdirSync(collections);
  for (const [index, singular] of [ofTypeScript, ofRuntimes, ofTheClient, ofTheCalls].flat().entries())
    writeFileSync(
      join(collections, `names-${String(index)}.json`),
      JSON.stringify({ ...schema, "x-hearth": { singular } }),
    );
  writeFileSync(join(project.path, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(project.path, "use.ts"), use);
  const written = await runCommand(["types", "--collections-dir", collections, "--out", "client.js"], {}, project.path);
  expect(written).toMatchObject({ code: 0, stderr: "" });
  expect(typeErrors(join(project.path, "use.ts"))).toEqual([]);
});

const routes = [
  // As operations of Hearth and of a collection.
  ...["/article", "/book", "/book2", "/Book"].map((path) => ({ path })),
  { method: "POST", path: "/~" },
  { method: "DELETE", path: "/book" },
  // As members that each object has, and with what could end a text.
  ...["/{constructor}", "/p/{__proto__}", "/a'$b"].map((path) => ({ path, body: {} })),
];

const useOfRoutes = `
import type { Book, HearthAnswer, HearthClient } from "./client.js";

export async function use(hearth: HearthClient) {
  const book: HearthAnswer<{ data: Book }> = await hearth.getBook({ params: { id: 1 } });
  const others = [hearth.getBook2(), hearth.getBook22(), hearth.getBook3(), hearth.deleteBook2(), hearth.getArticle2()];
  void hearth.getConstructor({ params: { constructor: "a" } });
  void hearth.getPProto({ params: { ["__proto__"]: "a" } });
  return { book, others };
}
`;

it("gives each operation a name of its own, also where a route of the route file wants that of another one", async () => {
  using project = temporaryFolder();
  const collections = join(project.path, "collections");
  mkdirSync(collections);
  writeFileSync(join(collections, "books.json"), JSON.stringify(schema));
  writeFileSync(join(project.path, "routes.json"), JSON.stringify({ routes }));
  writeFileSync(join(project.path, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(project.path, "use.ts"), useOfRoutes);
  const args = ["--collections-dir", collections, "--routes-file", "routes.json", "--out", "client.js"];
  expect(await runCommand(["types", ...args], {}, project.path)).toMatchObject({ code: 0, stderr: "" });
  expect(typeErrors(join(project.path, "use.ts"))).toEqual([]);
});
