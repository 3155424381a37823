import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestApp, type TestApp } from "../support/app/test-app.ts";
import { bodyOf, describedServer, documentationFolder, resolved, type Wire } from "./spec-client.ts";

const server = describedServer({ summary: "Written in the documentation file." });
let app: TestApp;
beforeAll(async () => (app = await server.start()));
afterAll(server.stop);

const describe1 = (url = app.url) => fetch(`${url}/swagger/docs/v1`);
const operationsOf = (description: Wire): Wire[] =>
  Object.values<object>(description.paths).flatMap((path) => Object.values(path));

describe("API description UI", () => {
  it("[API description UI 1] /swagger is a page whose scripts and styles are all on this server", async () => {
    const page = await fetch(`${app.url}/swagger`);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const html = await page.text();
    const parts = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = ""]) => address);
    expect(parts.length).toBeGreaterThan(3);
    for (const part of parts) {
      expect(part).toMatch(/^\/swagger\//);
      expect((await fetch(`${app.url}${part}`)).status, part).toBe(200);
    }
    expect(await (await fetch(`${app.url}/swagger/swagger-ui-init.js`)).text()).toContain('"/swagger/docs/v1"');
  });

  it("[API description UI 2] /swagger/docs/v1 is a machine-readable description of the API", async () => {
    const reply = await describe1();
    expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
    const description = await bodyOf(reply);
    expect(description.openapi).toMatch(/^3\.1\./);
    for (const path of ["/api/articles", "/api/articles/{id}", "/api/sessions", "/api/uploads", "/api/inotify"])
      expect(description.paths).toHaveProperty([path]);
  });

  it("[API description UI 3] operations are described by the files, and by nothing while one configuration has none", async () => {
    const { paths } = await bodyOf(await describe1());
    expect(paths["/api/articles"].get).toMatchObject({ summary: "Written in the documentation file" });
    using incomplete = documentationFolder(["Release"]);
    await using partly = await startTestApp({ apiDocs: { folder: incomplete.path } });
    const operations = operationsOf(await bodyOf(await describe1(partly.url)));
    expect(operations.length).toBeGreaterThan(20);
    for (const operation of operations) {
      expect(operation).not.toHaveProperty("summary");
      expect(operation).not.toHaveProperty("description");
    }
  });

  it("[API description UI 4] enum parameters are shown by text with the option on, by index with it off", async () => {
    const choices = async (url: string) => {
      const description = await bodyOf(await describe1(url));
      const { content } = description.paths["/api/inotify"].post.requestBody;
      const form = resolved(description, content["application/x-www-form-urlencoded"].schema);
      return resolved(description, form.properties.ev).enum;
    };
    expect(await choices(app.url)).toEqual(["modify", "attrib", "move", "create", "delete"]);
    await using byIndex = await startTestApp({ settings: { enum_as_text: false }, apiDocs: { folder: server.docs } });
    expect(await choices(byIndex.url)).toEqual([0, 1, 2, 3, 4]);
  });

  it("[API description UI 5] without the running configuration's file it is 500 with Message alone, JSON whatever is accepted", async () => {
    using other = documentationFolder(["Debug"]);
    await using without = await startTestApp({ apiDocs: { folder: other.path } });
    for (const headers of [{}, { Accept: "application/xml" }]) {
      const reply = await fetch(`${without.url}/swagger/docs/v1`, { headers });
      expect([reply.status, reply.headers.get("content-type")]).toEqual([500, "application/json; charset=utf-8"]);
      expect(await bodyOf(reply)).toEqual({ Message: expect.stringContaining("hearth.xml") });
    }
  });

  it("[More error rules 4] the 500 of the description route has just Message, and ends when the file is back", async () => {
    using folder = documentationFolder(["Debug", "Release"]);
    await using server = await startTestApp({ apiDocs: { folder: folder.path } });
    expect((await describe1(server.url)).status).toBe(200);
    rmSync(join(folder.path, "Release"), { recursive: true });
    const failed = await describe1(server.url);
    expect([failed.status, Object.keys((await bodyOf(failed)) as object)]).toEqual([500, ["Message"]]);
  });
});

describe("Versioning", () => {
  it("[Versioning 1] the description is at v1 and says so; there is no other", async () => {
    expect((await bodyOf(await describe1())).info.version).toMatch(/^v1\b/);
    expect((await fetch(`${app.url}/swagger/docs/v2`)).status).toBe(404);
  });

  it("[Versioning 2] no path of the API has a version in it", async () => {
    const { paths } = await bodyOf(await describe1());
    for (const path of Object.keys(paths)) expect(path).not.toMatch(/\/v\d/);
    expect((await fetch(`${app.url}/api/v1/articles`)).status).toBe(404);
  });
});

describe("Upload routes", () => {
  it("[Upload routes 1] both operations are described with their part and field", async () => {
    const { paths } = await bodyOf(await describe1());
    const properties = (path: string) => paths[path].post.requestBody.content["multipart/form-data"].schema.properties;
    expect(Object.keys(properties("/api/avatars"))).toEqual(["Avatar"]);
    expect(Object.keys(properties("/api/uploads"))).toEqual(["[]", "type"]);
  });
});
