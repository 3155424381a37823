import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordedLog } from "../../support/quiet-log.ts";
import { startTestApp } from "../../support/app/test-app.ts";
import { startUserCollections } from "../../support/app/user-collections.ts";
import { itemSchema, userFiles } from "../../support/app/user-files.ts";

let started: Awaited<ReturnType<typeof startUserCollections>>;
let files: (typeof started)["files"];
let call: (typeof started)["call"];
beforeAll(async () => void ({ files, call } = started = await startUserCollections()));
afterAll(() => started[Symbol.asyncDispose]());

describe("a schema file with a fault", () => {
  const broken: [what: string, name: string, text: string, line: number, message: RegExp][] = [
    [
      "bad JSON",
      "rocks",
      '{\n  "type": "object",\n  "properties": {\n    "a": {},\n  }\n}',
      5,
      /field name is expected/,
    ],
    [
      "a member that is given twice",
      "rocks",
      '{\n  "type": "object",\n  "type": "object"\n}',
      3,
      /"type" appears twice/,
    ],
    [
      "no JSON Schema",
      "rocks",
      '{\n  "type": "object",\n  "properties": {\n    "a": {"type": "strng"}\n  }\n}',
      4,
      /properties.a.type: must be one of/,
    ],
    [
      "an unknown keyword",
      "rocks",
      '{\n  "type": "object",\n  "properties": {\n    "a": {\n      "minLenght": 2\n    }\n  }\n}',
      5,
      /minLenght: is not a JSON Schema keyword/,
    ],
    [
      "a reference that leads nowhere",
      "rocks",
      '{\n  "type": "object",\n  "properties": {\n    "a": {"$ref": "#/$defs/a"}\n  }\n}',
      4,
      /"#\/\$defs\/a" refers to nothing/,
    ],
    [
      "a reference to elsewhere",
      "rocks",
      '{"type": "object", "properties": {"a":\n {"$ref": "https://example.com/a.json"}}}',
      2,
      /refers to another file/,
    ],
    [
      "a bad pattern",
      "rocks",
      '{"type": "object", "properties": {"a":\n {"type": "string",\n "pattern": "("}}}',
      3,
      /Invalid regular expression/,
    ],
    ["no object", "rocks", '["a"]', 1, /one JSON object/],
    [
      "a field of the server",
      "rocks",
      '{"type": "object",\n"properties": {\n"owner_uid": {}}}',
      3,
      /the server sets this field/,
    ],
    ["an id of any type", "rocks", '{"type": "object",\n"properties": {\n"id": {}}}', 3, /type "string" or "integer"/],
    [
      "ids of two types",
      "rocks",
      '{"type": "object",\n"properties": {\n"id": {"type": ["string", "integer"]}}}',
      3,
      /type "string" or "integer"/,
    ],
    [
      "UUIDs that are numbers",
      "rocks",
      '{"type": "object",\n"properties": {"id": {"type": "integer"}},\n"x-hearth": {"id": "uuid"}}',
      3,
      /^x-hearth.id: does not match "id" in properties: set its type to "string"/,
    ],
    [
      "UUIDs that are addresses",
      "rocks",
      '{"type": "object",\n"properties": {"id": {"format": "email"}},\n"x-hearth": {"id": "uuid"}}',
      3,
      /^x-hearth.id: does not match "id"/,
    ],
    [
      "whole numbers that are texts",
      "rocks",
      '{"type": "object",\n"properties": {"id": {"type": "string"}},\n"x-hearth": {"id": "integer"}}',
      3,
      /^x-hearth.id: does not match "id" in properties: set its type to "integer"/,
    ],
    [
      "a rule for ids that the server counts",
      "rocks",
      '{"type": "object",\n"properties": {\n"id": {"type": "integer", "minimum": 100}}}',
      3,
      /the server numbers these ids: remove minimum/,
    ],
    [
      "a secret id",
      "rocks",
      '{"type": "object",\n"properties": {\n"id": {"type": "string", "writeOnly": true}}}',
      3,
      /"id" is secret/,
    ],
    [
      "a seed whose id is no UUID",
      "rocks",
      '{"type": "object",\n"x-hearth": {"id": "uuid",\n"seed": [{"id": "x"}]}}',
      3,
      /^x-hearth.seed.0.id: must be a UUID/,
    ],
    [
      "two seeds with one id",
      "rocks",
      '{"type": "object",\n"x-hearth": {"id": "string",\n"seed": [{"id": "x"},\n{"id": "x"}]}}',
      4,
      /^x-hearth.seed.1.id: another seed has the same value/,
    ],
    [
      "an unknown option",
      "rocks",
      '{"type": "object", "properties": {"a": {}},\n"x-hearth": {\n"owners": "anyone"}}',
      3,
      /x-hearth.owners: is not supported; use one of singular, owner/,
    ],
    [
      "a bad option",
      "rocks",
      '{"type": "object", "properties": {"a": {}},\n"x-hearth": {\n"errorRate": 2}}',
      3,
      /x-hearth.errorRate/,
    ],
    [
      "an option that names no field",
      "rocks",
      '{"type": "object", "properties": {"a": {}},\n"x-hearth": {"unique": [\n"b"]}}',
      3,
      /"b" is not in properties/,
    ],
    [
      "a private field that is no boolean",
      "rocks",
      '{"type": "object", "properties": {"a": {"type": "string"}},\n"x-hearth": {"private": "a"}}',
      2,
      /must have the type boolean/,
    ],
    [
      "a seed that is not valid",
      "rocks",
      '{"type": "object", "properties": {"a": {"type": "string"}},\n"x-hearth": {"seed": [{"a": "x"},\n{"a": 5}]}}',
      3,
      /x-hearth.seed.1.a: must be a text/,
    ],
    [
      "two seeds with a unique value",
      "rocks",
      '{"type": "object", "properties": {"a": {"type": "string"}},\n"x-hearth": {"unique": ["a"], "seed": [{"a": "x"},\n{"a": "x"}]}}',
      3,
      /must be unique/,
    ],
    [
      "items that cannot be made up",
      "rocks",
      '{"type": "object", "required": ["a"], "properties": {"a": {"type": "integer", "not": {}}},\n"x-hearth": {\n"generate": {"count": 1}}}',
      3,
      /no valid item could be generated/,
    ],
    [
      "a function that faker has not",
      "rocks",
      '{"type": "object", "properties": {"a": {"type": "string",\n"x-faker": "person.shoeSize"}},"x-hearth": {"generate": {"count": 1}}}',
      2,
      /not a faker function/,
    ],
    [
      "the name of a built-in resource",
      "articles",
      '{"type": "object", "properties": {"a": {}}}',
      1,
      /belongs to Hearth/,
    ],
    [
      "the name of another built-in path",
      "sessions",
      '{"type": "object", "properties": {"a": {}}}',
      1,
      /belongs to Hearth/,
    ],
    ["a name that is no plural", "rock", '{"type": "object", "properties": {"a": {}}}', 1, /not a plural noun/],
    [
      "a name that no path takes",
      "Rock Songs",
      '{"type": "object", "properties": {"a": {}}}',
      1,
      /is not valid in a path/,
    ],
    [
      "an item's name that is taken",
      "things",
      '{"type": "object", "properties": {"a": {}}, "x-hearth": {"singular": "article"}}',
      1,
      /createArticle/,
    ],
  ];
  it.each(broken)("is reported with its line: %s", async (_what, name, text, line, message) => {
    const event = await files.fail(name, text);
    expect(event).toMatchObject({ file: files.pathOf(name), line, in_service: false });
    expect(event["message"]).toMatch(message);
    if (name === "rocks") expect((await call("rocks")).status).toBe(404);
  });

  it.each([
    ["too large", Buffer.alloc(1_100_000, " "), /larger than 1048576 bytes/],
    ["not UTF-8", Buffer.from('{"type": "\xe9"}', "latin1"), /neither UTF-8 nor UTF-16/],
  ])("is reported when it cannot be read: %s", async (_what, content, message) => {
    const event = await files.fail("boulders", content);
    expect(event["message"]).toMatch(message);
  });

  it("is reported in the log, and its previous version stays in use until it is mended", async () => {
    const { lines, log } = recordedLog();
    await using other = await startTestApp({ log });
    const theirs = userFiles(other);
    const headers = await other.loggedIn();
    const post = async (body: object) => (await other.post(`${other.url}/api/stones`, body, headers)).status;
    await theirs.load("stones", itemSchema({ weight: { type: "integer" } }));
    const event = await theirs.fail("stones", '{\n  "type": "object",\n  "properties": {"weight": }\n}');
    expect(event).toMatchObject({ line: 3, column: 28, in_service: true });
    expect(lines.join("\n")).toContain(`${theirs.pathOf("stones")}:3:28: a value is expected`);
    expect([await post({ weight: 5 }), await post({ weight: "5" })]).toEqual([201, 400]);
    await theirs.load("stones", itemSchema({ weight: { type: "string" } }));
    expect([await post({ weight: 5 }), await post({ weight: "5" })]).toEqual([400, 201]);
  });
});
