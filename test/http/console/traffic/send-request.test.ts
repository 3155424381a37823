/** Sending a new request from the console: it is a request like any client's, and shown by its record. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { RecordedRequest } from "../../../../server/contract/console/traffic/requests.ts";
import { authorized, recordedCalls } from "../../../support/app/recorded-calls.ts";
import { startTestApp, type TestApp } from "../../../support/app/test-app.ts";

let app: TestApp;
const { recorded } = recordedCalls(() => app);
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const send = (body: object) => app.post(`${app.url}/console/api/requests`, body, authorized);
async function sent(body: object): Promise<RecordedRequest> {
  const response = await send(body);
  const record = (await response.json()) as RecordedRequest;
  expect([response.status, response.headers.get("location")]).toEqual([
    201,
    `/console/api/requests/${String(record.id)}`,
  ]);
  return record;
}
const sessions = () => app.db.selectFrom("sessions").selectAll().execute();

it("a new request of the console goes to the service over HTTP with its method, path, headers and body, signed in as a session's user", async () => {
  await app.loggedIn("alice"); // who has made no request yet
  await recorded("", { method: "DELETE" });
  const [{ id = 0, user_id = 0 } = {}, ...others] = await sessions();
  expect(others).toEqual([]);
  const record = await sent({
    method: "POST",
    path: "/api/articles?x=1",
    headers: { Authorization: `Bearer {{session:${String(id)}}}`, "X-Mine": "yes" },
    body: { title: "From scratch" },
  });
  expect(record).toMatchObject({ service: "app", method: "POST", path: "/api/articles", query: "x=1", status: 201 });
  expect(record).toMatchObject({ uid: `u${String(user_id)}`, request: { body: { text: '{"title":"From scratch"}' } } });
  expect(record.replay_of).toBeUndefined();
  expect(record.session_id).not.toBe(id);
  expect(record.request.headers).toContainEqual({ name: "X-Mine", value: "yes" });
  expect(record.request.headers).toContainEqual({ name: "Content-Type", value: "application/json" });
  expect(JSON.parse(record.response.body.text ?? "")).toMatchObject({ data: { title: "From scratch" } });
  expect(await sessions()).toHaveLength(1);
});

it("a new request of the console is a GET without headers and body when only a path is given, and sends text unchanged", async () => {
  expect(await sent({ path: "/api/articles" })).toMatchObject({
    method: "GET",
    status: 401,
    request: { body: { size: 0 } },
  });
  const text = await sent({ method: "PUT", path: "/x", headers: { "content-type": "text/plain" }, body: "图" });
  expect(text).toMatchObject({ method: "PUT", status: 404, request_size: 3 });
});

it("a new request of the console is refused with the invalid field, for the console's own paths, and for an unknown session", async () => {
  for (const [body, field] of [
    [{}, "path"],
    [{ path: "api" }, "path"],
    [{ path: "/console/api/tokens" }, "path"],
    [{ path: "/", method: "get" }, "method"],
    [{ path: "/", service: "mail" }, "service"],
    [{ path: "/", headers: { "a b": "c" } }, "a b"],
    [{ path: "/", headers: { a: null } }, "headers.a"],
    [{ path: "/", headers: { "X-Request-Id": "mine-2" } }, "X-Request-Id"],
    [{ path: "/", headers: { "content-length": "13" }, body: { name: "sent" } }, "content-length"],
    [{ path: "/", headers: { "Transfer-Encoding": "chunked" } }, "Transfer-Encoding"],
    [{ path: "/", headers: { Trailer: "x-a" }, body: "text" }, "Trailer"],
    [{ path: "/", id: 1 }, "id"],
  ] as const) {
    const response = await send(body);
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(field)]);
  }
  const gone = await send({ path: "/api/articles", headers: { Authorization: "Bearer {{session:4711}}" } });
  expect([gone.status, await gone.json()]).toMatchObject([409, { code: "user_gone" }]);
  const down = await send({ service: "model", path: "/api/version" });
  expect([down.status, await down.json()]).toMatchObject([503, { code: "service_down" }]);
});
