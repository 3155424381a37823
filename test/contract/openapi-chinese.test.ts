/** The descriptions of the three APIs in Chinese. Tools get the English one, whatever language a browser accepts. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeApiDocs } from "../../build/docs/write-api-docs.ts";
import { controlTextsZh } from "../../server/contract/messages/zh/api/control-texts.ts";
import { consoleFieldTextsZh } from "../../server/contract/messages/zh/api/console-field-texts.ts";
import { faultFieldTextsZh } from "../../server/contract/messages/zh/api/fault-field-texts.ts";
import { fieldTextsZh } from "../../server/contract/messages/zh/api/field-texts.ts";
import { partTextsZh, tagNamesZh } from "../../server/contract/messages/zh/api/part-texts.ts";
import { simulatorFieldTextsZh } from "../../server/contract/messages/zh/api/simulator-field-texts.ts";
import { trafficFieldTextsZh } from "../../server/contract/messages/zh/api/traffic-field-texts.ts";
import { appApiZh } from "../../server/contract/messages/zh/api/app.ts";
import { consoleApiZh } from "../../server/contract/messages/zh/api/console.ts";
import { simulatorApiZh } from "../../server/contract/messages/zh/api/simulator.ts";
import { consoleToken, startTestApp, type TestApp } from "../support/app/test-app.ts";
import { noApiDocs } from "../support/app/no-api-docs.ts";
import { startTestProvider, type TestProvider } from "../support/payments/test-provider.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const files = temporaryFolder();
const folder = join(files.path, "dist", "api-docs");
let app: TestApp;
let provider: TestProvider;
beforeAll(async () => {
  await writeApiDocs(folder);
  app = await startTestApp({ settings: { basic_auth: true }, apiDocs: { folder } });
  provider = await startTestProvider({}, { ...noApiDocs, folder });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
  files[Symbol.dispose]();
});

interface Texts {
  summary?: string;
  description?: string;
}
interface Description {
  info: Texts & { title: string };
  tags: (Texts & { name: string })[];
  paths: Record<string, Record<string, Texts & { operationId: string; tags: string[] }>>;
}

async function read(address: string, acceptLanguage: string): Promise<string> {
  const headers = { Authorization: `Bearer ${consoleToken}`, "Accept-Language": acceptLanguage };
  const response = await fetch(address, { headers });
  expect(response.status).toBe(200);
  return response.text();
}
const operationsOf = ({ paths }: Description) => Object.values(paths).flatMap((path) => Object.values(path));
/** Every text by the part that has it. */
const textsOf = (api: Description) => [
  ["info", api.info.title, api.info.description],
  ...api.tags.map(({ name, description }) => [name, description]),
  ...operationsOf(api).map(({ operationId, summary, description }) => [operationId, summary, description]),
];
/** Removes the texts that are translated. */
function clear(api: Description): unknown {
  const isText = (path: readonly string[]) =>
    ["summary", "description"].includes(path.at(-1) ?? "") ||
    /^info,title$|^tags,\d+,name$|,tags,\d+$/.test(String(path));
  const clean = (part: unknown, path: readonly string[]): unknown => {
    if (typeof part === "string") return isText(path) ? "" : part;
    if (typeof part !== "object" || part === null) return part;
    return Object.entries(part).map(([name, value]) => [name, clean(value, [...path, name])]);
  };
  return clean(api, []);
}

/** All descriptions in a part of a document, by their paths in it. */
function descriptionsIn(part: unknown, path: readonly string[] = []): [path: string, text: string][] {
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([name, value]): [string, string][] => {
    const at = [...path, name];
    if (["example", "examples", "default", "const", "enum"].includes(name)) return [];
    return name === "description" && typeof value === "string" ? [[at.join("."), value]] : descriptionsIn(value, at);
  });
}
const withoutDefault = (text: string) => text.replace(/ ?Default: [^:]+[.]$/, "");

describe.each([
  ["application server", appApiZh, () => `${app.url}/swagger/docs/v1`, () => `${app.url}/swagger`],
  ["console", consoleApiZh, () => `${app.url}/console/api/openapi.json`, () => `${app.url}/console/api/docs`],
  ["provider simulator", simulatorApiZh, () => `${provider.url}/sim/openapi.json`, () => `${provider.url}/sim/swagger`],
])("the description of the %s", (_, catalogue, document, page) => {
  const readApi = async (query: string, language = "en") =>
    JSON.parse(await read(document() + query, language)) as Description;

  it("has a Chinese text for the introduction and for each operation and tag", async () => {
    const texts = textsOf(await readApi("?language=zh"));
    const untranslated = texts.filter(([, ...parts]) => parts.some((text) => !/\p{Script=Han}/u.test(text ?? "")));
    expect(texts.length).toBeGreaterThan(20);
    expect(untranslated).toEqual([]);
    expect(JSON.stringify(texts)).not.toContain("{plural}");
  });

  it("has no Chinese text for an operation or tag that does not exist", async () => {
    const api = await readApi("");
    const names = [...api.tags.map(({ name }) => name), ...operationsOf(api).map(({ operationId }) => operationId)];
    const translated = Object.keys({ ...catalogue.tags, ...catalogue.operations });
    const ofUsersFiles = /^(?:[*][.]|fixed-?answer|code-routes|answeredByCode)/i;
    expect(translated.filter((name) => !ofUsersFiles.test(name) && !names.includes(name))).toEqual([]);
  });

  it("has a Chinese text for each field, parameter, reply, header and way to authenticate, and for the name of each tag", async () => {
    const api = await readApi("?language=zh");
    const described = descriptionsIn(api);
    expect(described.length).toBeGreaterThan(100);
    expect(described.filter(([, text]) => !/\p{Script=Han}/u.test(text))).toEqual([]);
    const names = api.tags.map(({ name }) => name);
    expect(names.filter((name) => !/\p{Script=Han}/u.test(name))).toEqual([]);
    expect(new Set(names)).toEqual(new Set(operationsOf(api).flatMap(({ tags }) => tags)));
  });

  it("is in English without ?language=zh, and has the same operations in both languages", async () => {
    const english = await readApi("");
    expect(await readApi("", "zh-CN")).toEqual(english);
    expect(JSON.stringify(english)).not.toMatch(/\p{Script=Han}/u);
    expect(clear(await readApi("?language=zh"))).toEqual(clear(english));
  });

  it("folds all of the introduction but its first sentences, in both languages", async () => {
    for (const query of ["", "?language=zh"]) {
      const { info } = await readApi(query);
      expect(info.description).toMatch(
        /^[^\n]{20,160}\n\n<details>\n<summary>[^\n]+<\/summary>\n\n[^]+\n\n<\/details>$/,
      );
    }
  });

  it("is shown in the language that the page's address names or the browser accepts", async () => {
    const described = async (query: string, language: string) => {
      const html = await read(page() + query, language);
      expect(html).toContain(`<script src="${new URL(page()).pathname}/frame.js"`);
      const [, script = ""] = /src="([^"]+swagger-ui-init\.js)"/.exec(html) ?? [];
      const init = await read(new URL(script, page()).href, language);
      return [/<html lang="([^"]+)"/.exec(html)?.[1], /"url": "([^"]+)"/.exec(init)?.[1]];
    };
    const path = new URL(document()).pathname;
    const english = ["en", path];
    const chinese = ["zh-CN", `${path}?language=zh`];
    expect(await described("", "en")).toEqual(english);
    expect(await described("", "zh-CN,en;q=0.5")).toEqual(chinese);
    expect(await described("?language=zh", "en")).toEqual(chinese);
    expect(await described("?language=en", "zh-CN")).toEqual(english);
  });
});

it("the Chinese catalogue has no text of a part that does not exist", async () => {
  const documents = [
    `${app.url}/swagger/docs/v1`,
    `${app.url}/console/api/openapi.json`,
    `${provider.url}/sim/openapi.json`,
  ];
  const apis = await Promise.all(documents.map(async (one) => JSON.parse(await read(one, "en")) as Description));
  const described = apis.flatMap((api) => descriptionsIn(api).map(([, text]) => text));
  const texts = new Set([...described, ...described.map(withoutDefault)]);
  const fields = [fieldTextsZh, consoleFieldTextsZh, trafficFieldTextsZh, simulatorFieldTextsZh, faultFieldTextsZh];
  const translated = Object.keys(Object.assign({}, partTextsZh, controlTextsZh, ...fields) as object);
  expect(translated.filter((text) => !text.includes("{") && !texts.has(text))).toEqual([]);
  const tags = new Set(apis.flatMap((api) => api.tags.map(({ name }) => name)));
  const ofUsers = ["fixed-answers", "code-routes"];
  expect(Object.keys(tagNamesZh).filter((name) => !ofUsers.includes(name) && !tags.has(name))).toEqual([]);
});
