import { XMLParser } from "fast-xml-parser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pngBytes } from "../support/files.ts";
import { startRulesService } from "../support/model/model-service.ts";
import { startTestApp, type TestApp } from "../support/app/test-app.ts";
import { asConsole, bodyOf, describedServer, send, stepOf } from "./spec-client.ts";

const server = describedServer();
let app: TestApp;
let headers: Record<string, string>;
beforeAll(async () => ({ app, headers } = await server.startLoggedIn()));
afterAll(server.stop);

describe("Service", () => {
  it("[Service 1] resources at plural nouns answer JSON, or XML to whoever accepts that", async () => {
    for (const name of ["articles", "raffles", "accounts", "uploads"]) {
      const json = await bodyOf(await send(`${app.url}/api/${name}`, "GET", headers));
      expect(json.data).toEqual([]);
      const xml = await send(`${app.url}/api/${name}`, "GET", { ...headers, Accept: "text/xml" });
      expect(xml.headers.get("content-type")).toBe("text/xml; charset=utf-8");
      expect(new XMLParser().parse(await xml.text()).result.status.uid).toBe(json.status.uid);
    }
  });

  it("[Service 2] a client that still has to log in hears 401 with the step in a header", async () => {
    expect(stepOf(await send(`${app.url}/api/articles`, "GET", {}))).toEqual([401, "Bearer"]);
    const { access_token } = await app.login("step");
    const reply = await send(`${app.url}/api/articles`, "GET", { Authorization: `Bearer ${access_token}` });
    expect(stepOf(reply)).toEqual([401, "getUserInfo"]);
  });

  it("[Service 3] a file sent as multipart form data is stored byte for byte", async () => {
    const content = pngBytes(5, 5);
    const body = new FormData();
    body.append("[]", new File([content], "a.png"));
    const stored = await bodyOf(await fetch(`${app.url}/api/uploads`, { method: "POST", body, headers }));
    const back = await send(`${app.url}/api/uploads/${String(stored.id)}/content`, "GET", headers);
    expect(Buffer.from(await back.arrayBuffer())).toEqual(Buffer.from(content));
  });

  it("[Service 4] the API is described by a page and by a document", async () => {
    expect(await (await fetch(`${app.url}/swagger`)).text()).toContain("swagger-ui");
    expect(await bodyOf(await fetch(`${app.url}/swagger/docs/v1`))).toHaveProperty("paths");
  });

  it("[Service 6] a file-change notification is taken and kept", async () => {
    const body = new URLSearchParams({ df: "/srv/a.txt", ev: "modify" });
    expect((await fetch(`${app.url}/api/inotify/`, { method: "POST", body })).status).toBe(202);
    const events = async () =>
      (await bodyOf(await fetch(`${app.url}/console/api/events?type=file.changed`, { headers: asConsole }))).events;
    await expect
      .poll(events)
      .toEqual([expect.objectContaining({ data: expect.objectContaining({ df: "/srv/a.txt" }) })]);
  });

  it("[Service 7] a model service of its own generates and chats over HTTP", async () => {
    await using model = await startRulesService({ tiny: { rules: [{ text: "Good day" }] } });
    const generated = await model.post("/api/generate", { model: "tiny", prompt: "Hello", stream: false });
    expect((await bodyOf(generated)).response).toBe("Good day");
    const messages = [{ role: "user", content: "Hello" }];
    const chat = await model.post("/api/chat", { model: "tiny", messages, stream: false });
    expect((await bodyOf(chat)).message).toEqual({ role: "assistant", content: "Good day" });
  });

  it("[Service 8] the server answers without a model service, and logged-in users go on without the provider", async () => {
    await using alone = await startTestApp();
    const known = await alone.loggedIn();
    await alone.provider.close();
    expect((await fetch(`${alone.url}/console/api/model/api/tags`, { headers: asConsole })).status).toBe(503);
    expect((await send(`${alone.url}/api/articles`, "POST", known, { title: "still here" })).status).toBe(201);
  });
});
