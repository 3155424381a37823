import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { operationsOf } from "../../../server/app/imported/operations.ts";
import { readDocument } from "../../../server/app/imported/read-document.ts";
import { startTestApp } from "../../support/app/test-app.ts";
import { eventually } from "../../support/eventually.ts";
import { traits } from "./documents-with-traits.ts";
import { wireTraits } from "./documents-of-the-wire.ts";

const ajv = new Ajv2020({ strict: false, validateFormats: true });
(formats as unknown as typeof formats.default)(ajv);

/** A server with a document, in service. */
async function startWith(document: string) {
  const app = await startTestApp();
  mkdirSync(join(app.folder, "apis"), { recursive: true });
  const value = await readDocument(document);
  writeFileSync(join(app.folder, "apis", "one.json"), JSON.stringify(value));
  const { operations } = operationsOf(value);
  const [first] = operations;
  await eventually(async () => {
    const { status } = await fetch(app.url + String(first?.path).replaceAll(/\{[^}]*\}/g, "1"), { method: "OPTIONS" });
    if (status === 404) throw new Error("it is not served yet");
  });
  return { app, operations };
}

describe.each([...traits, ...wireTraits])("an imported document with $trait", ({ document, calls, refusals }) => {
  it("answers every operation with what its schema allows, and refuses invalid requests", async () => {
    const { app: started, operations } = await startWith(document);
    await using app = started;
    expect(Object.keys(calls)).toHaveLength(operations.length);
    for (const [name, { status, schema, type = "application/json", ...init }] of Object.entries(calls)) {
      const [method = "", path = ""] = name.split(" ");
      const response = await fetch(app.url + path, { method, ...init });
      const text = await response.text();
      expect([name, response.status, text.slice(0, 300)]).toEqual([name, status, expect.anything()]);
      if (schema === undefined) continue;
      expect(response.headers.get("content-type")).toBe(type);
      const isJson = type.endsWith("json");
      const validate = ajv.compile(schema);
      expect([name, validate(isJson ? JSON.parse(text) : text), validate.errors]).toEqual([name, true, null]);
    }
    for (const [name, { status = 400, field, ...init }] of Object.entries(refusals)) {
      const [method = "", path = ""] = name.split(" ");
      const response = await fetch(app.url + path, { method, ...init });
      const body = (await response.json()) as { details?: { field: string }[] };
      expect([name, response.status, body.details?.[0]?.field]).toEqual([name, status, field]);
    }
  });
});

describe("a document that cannot be imported", () => {
  it.each([
    ["openapi: 3.0.0\npaths: {a: {$ref: './b.yaml'}}", "another file"],
    ["openapi: 3.0.0\npaths: {/a: {$ref: '#/none'}}", "leads nowhere"],
    ["swagger: '2.0'\npaths: {}", "Swagger 2.0"],
    ["[1]", "not an OpenAPI document"],
    ["openapi: 3.1.0", "no paths"],
    ["{ a: [", "neither JSON nor YAML"],
  ])("%j is refused, because of %s", async (text, why) => {
    await expect(readDocument(text)).rejects.toThrow(why);
  });
});
