import { XMLParser } from "fast-xml-parser";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { callConsole } from "../support/app/control-calls.ts";
import { quietLog } from "../support/quiet-log.ts";
import { requestText } from "../support/app/raw-request.ts";
import type { TestApp } from "../support/app/test-app.ts";
import { startThings } from "../support/app/things-service.ts";
import { bodyOf, describedServer, resolved, send } from "./spec-client.ts";

const server = describedServer();
let app: TestApp;
let headers: Record<string, string>;
beforeAll(async () => ({ app, headers } = await server.startLoggedIn()));
afterAll(server.stop);

describe("More error rules", () => {
  it("[More error rules 1] a thrown error's status and message reach the client, any other throw is a bare 500", async () => {
    const things = await startThings(quietLog);
    const thrown = await fetch(`${things.url}/api/things/403`);
    expect([thrown.status, await bodyOf(thrown)]).toEqual([403, { Message: "Not yours.", code: "private" }]);
    const unknown = await fetch(`${things.url}/api/things/500`);
    expect([unknown.status, (await bodyOf(unknown)).Message]).toEqual([500, expect.not.stringContaining("innards")]);
    await things.close(0);
  });

  it("[More error rules 2] [More error rules 4] what has a form of its own keeps it when it is refused on the way", async () => {
    const fault = { path: "/**", status: 500, message: "On purpose" };
    await callConsole(app, "POST", "/faults", fault);
    onTestFinished(async () => void (await callConsole(app, "DELETE", "/faults")));
    const refused = async (method: string, path: string, type = "application/json") => {
      const response = await fetch(`${app.url}${path}`, { method, headers: { ...headers, "Content-Type": type } });
      expect(response.status).toBe(500);
      return response.text();
    };
    const failedUpload = JSON.stringify({ success: false, err_msg: "On purpose" });
    expect(await refused("POST", "/api/uploads")).toBe(failedUpload);
    expect(await refused("POST", "/api/avatars/")).toBe(failedUpload);
    expect(JSON.parse(await refused("GET", "/api/uploads"))).toHaveProperty("code");
    expect(await refused("GET", "/swagger/docs/v1")).toBe(JSON.stringify({ Message: "On purpose" }));
    for (const path of ["/api/payments/notifications", "/api/payments/refund-notifications"]) {
      expect(JSON.parse(await refused("POST", path))).toEqual({ code: "FAIL", message: "On purpose" });
      expect(new XMLParser().parse(await refused("POST", path, "text/xml"))).toEqual({
        xml: { return_code: "FAIL", return_msg: "On purpose" },
      });
    }
  });

  it("[More error rules 5] every error has Message and code, in JSON and in XML, as the description says", async () => {
    const failures: (readonly [method: string, path: string, more: Record<string, string>, status: number])[] = [
      ["POST", "/api/articles", headers, 400],
      ["GET", "/api/articles", {}, 401],
      ["GET", "/api/articles/999999", headers, 404],
      ["DELETE", "/api/articles", headers, 405],
      ["GET", "/nothing", {}, 404],
    ];
    for (const [method, path, more, status] of failures) {
      const json = await send(`${app.url}${path}`, method, more);
      expect([json.status, await bodyOf(json)]).toEqual([
        status,
        expect.objectContaining({ Message: expect.stringMatching(/./), code: expect.stringMatching(/^[a-z_]+$/) }),
      ]);
      const xml = await send(`${app.url}${path}`, method, { ...more, Accept: "application/xml" });
      expect([xml.status, new XMLParser().parse(await xml.text()).result]).toEqual([
        status,
        expect.objectContaining({ Message: expect.stringMatching(/./), code: expect.stringMatching(/^[a-z_]+$/) }),
      ]);
    }
    expect(await requestText(app.port, "nonsense\r\n\r\n")).toMatch(
      /^HTTP\/1.1 400 [^]*\{"Message":".+","code":"bad_request"\}$/,
    );
    const description = await bodyOf(await fetch(`${app.url}/swagger/docs/v1`));
    const reply = resolved(description, description.paths["/api/articles"].post.responses["400"]);
    const schema = resolved(description, reply.content["application/json"].schema);
    expect(Object.keys(schema.properties)).toEqual(["Message", "code", "details"]);
  });
});

describe("Limits", () => {
  it("[Limits 7] five hundred requests of one client in a row are all answered", async () => {
    const statuses = new Set<number>();
    for (let i = 0; i < 50; i++)
      for (const reply of await Promise.all(
        Array.from({ length: 10 }, () => send(`${app.url}/api/articles`, "GET", headers)),
      )) {
        statuses.add(reply.status);
        await reply.text();
      }
    expect([...statuses]).toEqual([200]);
  });
});
