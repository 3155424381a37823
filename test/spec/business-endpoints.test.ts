import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pngBytes } from "../support/files.ts";
import type { TestApp } from "../support/app/test-app.ts";
import { bearer, bodyOf, describedServer, packageOf, send, stepOf, type Wire } from "./spec-client.ts";

const server = describedServer({ settings: { raffle_draw_ms: 0 } });
let app: TestApp;
let headers: Record<string, string>;
beforeAll(async () => ({ app, headers } = await server.startLoggedIn()));
afterAll(server.stop);

/** They belong to the steps of the login, so that a valid token is enough. */
const steps = [
  "GET /api/sessions/current",
  "DELETE /api/sessions/current",
  "POST /api/userinfos",
  "POST /api/phonenumbers",
];

/** Every described operation that asks for a session token, with an id in its path. */
async function businessOperations(): Promise<{ method: string; path: string }[]> {
  const { paths } = await bodyOf(await fetch(`${app.url}/swagger/docs/v1`));
  return Object.entries<Wire>(paths).flatMap(([path, methods]) =>
    Object.entries<Wire>(methods)
      .filter(([, { security }]) => security.some((one: object) => "sessionToken" in one))
      .map(([method]) => ({ method: method.toUpperCase(), path }))
      .filter(({ method }) => !steps.includes(`${method} ${path}`)),
  );
}

function upload(path: string, part: string, name = "a.png") {
  const form = new FormData();
  form.append(part, new File([pngBytes(1, 1)], name));
  return fetch(`${app.url}${path}`, { method: "POST", body: form, headers, redirect: "manual" });
}

describe("Business endpoints", () => {
  it("[Business endpoints 1] every list carries the status package, in JSON and, for HEAD, in its header", async () => {
    const lists = (await businessOperations()).filter(({ method, path }) => method === "GET" && !path.includes("{"));
    expect(lists.length).toBeGreaterThan(3);
    for (const { path } of lists)
      for (const method of ["GET", "HEAD"]) {
        const reply = await send(`${app.url}${path}`, method, headers);
        expect(reply.status, path).toBe(200);
        expect(await packageOf(reply), `${method} ${path}`).toMatchObject({ access_token: expect.any(String) });
      }
  });

  it("[Business endpoints 1] creating, reading, changing, deleting, drawing and uploading carry it", async () => {
    const article = await send(`${app.url}/api/articles`, "POST", headers, { title: "a" });
    const at = `${app.url}${article.headers.get("location") ?? ""}`;
    const raffle = await send(`${app.url}/api/raffles`, "POST", headers, { title: "r", entries: ["x"], prizes: 1 });
    const drawAt = `${app.url}${raffle.headers.get("location") ?? ""}/draws`;
    const replies = {
      created: article,
      read: await send(at, "GET", headers),
      replaced: await send(at, "PUT", headers, { title: "b" }),
      minimal: await send(at, "PUT", { ...headers, Prefer: "return=minimal" }, { title: "b" }),
      patched: await send(at, "PATCH", headers, { title: "c" }),
      unchanged: await send(at, "GET", { ...headers, "If-None-Match": "*" }),
      deleted: await send(at, "DELETE", headers),
      drawn: await send(drawAt, "POST", headers),
      uploaded: await upload("/api/uploads", "[]"),
      avatar: await upload("/api/avatars", "Avatar"),
      phone: await send(`${app.url}/api/phonenumbers/mine`, "GET", headers),
    };
    const statuses = Object.fromEntries(Object.entries(replies).map(([name, { status }]) => [name, status]));
    expect(statuses).toEqual({
      ...{ created: 201, read: 200, replaced: 200, minimal: 204, patched: 200, unchanged: 304, deleted: 204 },
      ...{ drawn: 201, uploaded: 201, avatar: 302, phone: 200 },
    });
    for (const [name, reply] of Object.entries(replies))
      expect(await packageOf(reply), name).toEqual({
        access_token: expect.any(String),
        expires_in: expect.any(Number),
        uid: expect.stringMatching(/./),
        has_userinfo: true,
        has_phone: true,
      });
  });

  it("[Business endpoints 2] every operation goes through the three answers of the 401 protocol", async () => {
    const { access_token } = await app.login("protocol");
    const operations = await businessOperations();
    expect(operations.length).toBeGreaterThan(15);
    const answers = async (credentials: Record<string, string>) => {
      const found = new Set<string>();
      for (const { method, path } of operations) {
        const reply = await send(`${app.url}${path.replaceAll(/\{\w+\}/g, "1")}`, method, credentials);
        found.add(stepOf(reply).join(" "));
      }
      return [...found];
    };
    expect(await answers({})).toEqual(["401 Bearer"]);
    expect(await answers(bearer("worthless"))).toEqual(["401 Bearer"]);
    expect(await answers(bearer(access_token))).toEqual(["401 getUserInfo"]);
    await app.post(`${app.url}/api/userinfos`, await app.sim("protocol", "user-info"), bearer(access_token));
    expect(await answers(bearer(access_token))).toEqual(["401 getPhoneNumber"]);
  });
});
