/** What the starter model says of routes, commands, settings, fields and states is what Hearth has. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readKnowledge } from "../../build/starter-model/corpus/topics.ts";
import { writeApiDocs } from "../../build/docs/write-api-docs.ts";
import { settingsSchema, type SettingName } from "../../server/contract/process/settings.ts";
import { readDescription } from "../support/app/api-description.ts";
import { noApiDocs } from "../support/app/no-api-docs.ts";
import { consoleToken, startTestApp } from "../support/app/test-app.ts";
import { startModelService } from "../support/model/model-service.ts";
import { createScriptedEngine } from "../support/model/scripted-engine.ts";
import { startTestProvider } from "../support/payments/test-provider.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
/** Both pages are made from the program, and `npm run check` holds them to it. */
const reference = read("docs/reference/command-line.md") + read("docs/reference/settings.md");
const sourcesIn = (folder: string) => globSync(`${folder}/**/*.ts`, { cwd: root }).map(read).join("\n");
const contract = sourcesIn("server/contract") + reference;
const source = sourcesIn("server") + reference;

const { byId } = readKnowledge();
const answers = [...byId.values()].flatMap(({ id, en, zh }) => [
  { id: `${id} (en)`, text: en.answer },
  { id: `${id} (zh)`, text: zh.answer },
]);

/** Every match of a pattern in an answer that is not known, with the answer's id. */
const unknown = (pattern: RegExp, isKnown: (found: string) => boolean) =>
  answers.flatMap(({ id, text }) =>
    [...text.matchAll(pattern)].map(([found]) => found).flatMap((found) => (isKnown(found) ? [] : [`${id}: ${found}`])),
  );

const files = temporaryFolder();
const folder = join(files.path, "api-docs");
/** Paths of application server, console and simulator, and the status of the model service's answer to a path. */
let described: RegExp[];
let asksModel: (path: string) => Promise<number>;
const open: AsyncDisposable[] = [];
beforeAll(async () => {
  await writeApiDocs(folder);
  const app = await startTestApp({ apiDocs: { folder } });
  const provider = await startTestProvider({}, { ...noApiDocs, folder });
  const model = await startModelService(createScriptedEngine());
  open.push(app, provider, model);
  const operations = [
    ...(await readDescription(`${app.url}${ownDescription}`)),
    ...(await readDescription(`${app.url}/console/api/openapi.json`, { Authorization: `Bearer ${consoleToken}` })),
    ...(await readDescription(`${provider.url}/sim/openapi.json`)),
  ];
  described = operations.map(
    ({ path }) => new RegExp(`^${path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}/?$`),
  );
  // A route that takes another method answers 405.
  asksModel = async (path) => (await model.get(path)).status;
});
afterAll(async () => {
  for (const one of open.reverse()) await one[Symbol.asyncDispose]();
  files[Symbol.dispose]();
});

/** Resources that answers make up as examples of a user's own, and with what paths begin. */
const examples = /^\/api\/(?:books|novels)$/;
const beginnings = new Set(["/api", "/sim", "/console", "/v1", "/swagger"]);
const ownDescription = "/swagger/docs/v1";

describe("what the starter model says", () => {
  it("names only routes that there are", async () => {
    const paths = new Set(
      answers
        .flatMap(
          ({ text }) =>
            text.match(/(?<![\w.])(?:127\.0\.0\.1:\d+)?\/(?:api|sim|console|v1|swagger)(?:\/[\w*-]+)*\/?/g) ?? [],
        )
        .map((path) => path.replace(/^[\d.:]+/, "")),
    );
    const missing: string[] = [];
    for (const path of paths) {
      if (path === ownDescription || examples.test(path) || beginnings.has(path.replace(/\/$/, ""))) continue;
      if (described.some((pattern) => pattern.test(path.replace("/**", "")))) continue;
      if ((await asksModel(path)) === 404) missing.push(path);
    }
    expect(missing).toEqual([]);
  });

  it("names only commands that there are", () => {
    const pattern = /(?<!\/)hearth (?:[a-z][a-z-]+)(?: (?:on|add|remove|let-in)\b)?/g;
    const isListed = (found: string) => reference.includes(`\n  ${found.replace(/^hearth /, "")} `);
    expect(unknown(pattern, (found) => reference.includes(found) || isListed(found))).toEqual([]);
  });

  it("names only flags and variables that there are", () => {
    expect(unknown(/(?<![\w-])--[a-z][a-z-]+/g, (found) => reference.includes(found))).toEqual([]);
    expect(unknown(/\b(?:HEARTH|OLLAMA)_[A-Z_]+\b/g, (found) => source.includes(found))).toEqual([]);
  });

  it("names only fields, states and headers that there are", () => {
    const isPlaceholder = (found: string) => found === "plural_resource" || found === "uXXXX";
    const fields = /\b[a-z]+(?:_[a-z0-9]+)+\b/g;
    expect(unknown(fields, (found) => contract.includes(found) || isPlaceholder(found))).toEqual([]);
    const words = /\b(?:[A-Z]{6,}|[a-z]+[A-Z]\w+|Hearth-[A-Z]\w+|X-[A-Z][\w-]+)\b/g;
    expect(unknown(words, (found) => source.includes(found) || isPlaceholder(found))).toEqual([]);
  });

  it.each<[string, SettingName]>([
    ["port-app", "app_port"],
    ["port-provider", "provider_port"],
    ["port-model", "model_port"],
    ["stand-in-port", "stand_in_port"],
    ["token-life", "session_ttl_seconds"],
    ["max-upload", "MaxSizeOfSigleFile_MB"],
    ["durability", "durability"],
    ["log-level", "log_level"],
    ["require-keys", "require_keys"],
    ["amp-query", "query_normalization"],
  ])("tells in %s the default of %s", (id, name) => {
    const topic = byId.get(id);
    const value = String(settingsSchema.shape[name].parse(undefined));
    expect(topic?.en.answer).toContain(value);
    expect(topic?.zh.answer).toContain(value);
  });
});
