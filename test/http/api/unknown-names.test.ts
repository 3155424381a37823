import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consoleToken, startTestApp, type TestApp } from "../../support/app/test-app.ts";
import { startUserCollections, bookSchema } from "../../support/app/user-collections.ts";

let app: TestApp;
let headers: Record<string, string>;
const events: unknown[] = [];
beforeAll(async () => {
  app = await startTestApp();
  headers = await app.loggedIn();
  app.bus.subscribe((event) => {
    if (event.type === "request.unknown_name") events.push(event.data);
  });
});
afterAll(() => app[Symbol.asyncDispose]());

const create = (body: object, query = "") => app.post(`${app.url}/api/articles${query}`, body, headers);
const warningOf = (response: Response) => response.headers.get("hearth-warning");

describe("a name that the operation does not know", () => {
  it("is told in a header of the answer, of the body and of the query", async () => {
    const created = await create({ title: "x", titel: "y" }, "?dry=1");
    expect([created.status, warningOf(created)]).toEqual([
      201,
      'unknown name "dry" in the query, unknown name "titel" in the body',
    ]);
    expect(warningOf(await create({ title: "x" }, "?pretty"))).toBeNull();
    const listed = await fetch(`${app.url}/api/articles?pagesize=5&page_size=5`, { headers });
    expect([listed.status, warningOf(listed)]).toEqual([200, 'unknown name "pagesize" in the query']);
  });

  it("is told where it is the reason for a refusal, too", async () => {
    const refused = await create({ titel: "y" });
    expect([refused.status, warningOf(refused)]).toEqual([400, 'unknown name "titel" in the body']);
  });

  it("is told by the control routes of the console and of the simulator", async () => {
    const token = { Authorization: `Bearer ${consoleToken}` };
    const requests = await fetch(`${app.url}/console/api/requests?statuss=500`, { headers: token });
    expect([requests.status, warningOf(requests)]).toEqual([200, 'unknown name "statuss" in the query']);
    const users = await fetch(`${app.provider.url}/sim/users?nick=x`);
    expect([users.status, warningOf(users)]).toEqual([200, 'unknown name "nick" in the query']);
    expect(warningOf(await fetch(`${app.provider.url}/sim/users`))).toBeNull();
  });

  it("is marked in the recorded request", async () => {
    const asked = await create({ title: "x", colour: "red" });
    const id = asked.headers.get("x-request-id");
    const read = async () => {
      const reply = await fetch(`${app.url}/console/api/requests?path=/api/articles`, {
        headers: { Authorization: `Bearer ${consoleToken}` },
      });
      const { requests } = (await reply.json()) as { requests: { request_id: string; warning?: string }[] };
      return requests.find(({ request_id }) => request_id === id)?.warning;
    };
    await expect.poll(read).toBe('unknown name "colour" in the body');
  });

  it("is one event for each operation and name, however often it comes", async () => {
    events.splice(0);
    for (let round = 0; round < 3; round++) await create({ title: "x", once: 1 });
    await fetch(`${app.url}/api/articles?once=1`, { headers });
    expect(events).toEqual([
      { method: "POST", path: "/api/articles", where: "body", name: "once" },
      { method: "GET", path: "/api/articles", where: "query", name: "once" },
    ]);
  });

  it("keeps the header short and plain, whatever is sent", async () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`${"标".repeat(60)}${String(at)}`, 1]));
    const warning = warningOf(await create({ title: "x", ...many })) ?? "";
    expect(warning).toMatch(/^(?:(?:, )?unknown name "[\w.%$[\]-]+" in the body)+$/);
    expect(warning.split(", ")).toHaveLength(5);
    expect(warning.length).toBeLessThan(4_000);
  });

  it("is *** where it looks like no name: it may be a body with the wrong type, and have secrets in it", async () => {
    events.splice(0);
    const form = { ...headers, "Content-Type": "application/x-www-form-urlencoded" };
    const bodies = ['{"title":"secret"}', "<a>secret</a>", "title: secret", `\r\n${"x".repeat(300)}`, "x".repeat(65)];
    const sent = bodies.map((body) => fetch(`${app.url}/api/articles`, { method: "POST", headers: form, body }));
    for (const response of await Promise.all(sent))
      expect([response.status, warningOf(response)]).toEqual([400, 'unknown name "***" in the body']);
    expect(events).toEqual([{ method: "POST", path: "/api/articles", where: "body", name: "***" }]);
  });

  it("is not what the server itself has answered: an item may be sent back", async () => {
    const { data } = (await (await create({ title: "x" })).json()) as { data: { id: number } };
    const replaced = await fetch(`${app.url}/api/articles/${String(data.id)}`, {
      method: "PUT",
      headers: { ...headers, "Content-Type": "application/json" },
      body: JSON.stringify(data),
    });
    expect([replaced.status, warningOf(replaced)]).toEqual([200, null]);
  });

  it("is told of a merge patch, too", async () => {
    const { data } = (await (await create({ title: "x" })).json()) as { data: { id: number } };
    const changed = await fetch(`${app.url}/api/articles/${String(data.id)}`, {
      method: "PATCH",
      headers: { ...headers, "Content-Type": "application/json" },
      body: JSON.stringify({ titel: "y" }),
    });
    expect([changed.status, warningOf(changed)]).toEqual([200, 'unknown name "titel" in the body']);
  });

  it("is refused with 400 where the setting strict_requests is on", async () => {
    await using strict = await startTestApp({ settings: { strict_requests: true } });
    const own = await strict.loggedIn();
    const body = await strict.post(`${strict.url}/api/articles`, { title: "x", titel: "y" }, own);
    expect([body.status, await body.json()]).toEqual([
      400,
      {
        Message: "titel is not a known field.",
        code: "unknown_field",
        details: [{ field: "titel", problem: "is not a known field" }],
      },
    ]);
    const query = await fetch(`${strict.url}/api/articles?pagesize=5`, {
      headers: { ...own, "Accept-Language": "zh" },
    });
    expect([query.status, await query.json()]).toMatchObject([400, { Message: "查询参数 pagesize 不是已知字段。" }]);
    expect((await strict.post(`${strict.url}/api/articles`, { title: "x" }, own)).status).toBe(201);
  });

  it("is none where a user's schema takes further members, which are stored", async () => {
    await using users = await startUserCollections();
    await users.files.load("books", { ...bookSchema, additionalProperties: true });
    const created = await users.call("books", "POST", { title: "x", colour: "red" });
    expect([created.status, created.headers.get("hearth-warning")]).toEqual([201, null]);
  });
});
