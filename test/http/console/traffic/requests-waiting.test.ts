import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { RequestPage } from "../../../../server/contract/console/traffic/requests.ts";
import { authorized, recordedCalls } from "../../../support/app/recorded-calls.ts";
import { startTestApp, type TestApp } from "../../../support/app/test-app.ts";
import { patienceMs } from "../../../support/eventually.ts";

let app: TestApp;
let alice: Record<string, string>;
const { recorded, list, clear } = recordedCalls(() => app);
const paths = (page: RequestPage) => page.requests.map(({ method, path }) => `${method} ${path}`);
const newestId = async () => (await list("limit=1")).requests[0]?.id ?? 0;
const assertThat = (assertion: object) => app.post(`${app.url}/console/api/requests/assertions`, assertion, authorized);
const createArticle = (title: string) => app.post(`${app.url}/api/articles`, { title }, alice);

beforeAll(async () => void (alice = await (app = await startTestApp()).loggedIn("alice")));
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(clear);

describe("waiting and asserting", () => {
  it("GET /console/api/requests/wait answers as soon as the request has come", async () => {
    const waiting = recorded(`/wait?path=/api/articles&method=POST&count=2&timeout_ms=${String(patienceMs)}`);
    await createArticle("one");
    await createArticle("two");
    const response = await waiting;
    expect([response.status, paths((await response.json()) as RequestPage)]).toEqual([
      200,
      ["POST /api/articles", "POST /api/articles"],
    ]);
  });

  it("answers at once for what has been already, and not for what was before `after`", async () => {
    await createArticle("one");
    expect((await recorded("/wait?method=POST")).status).toBe(200);
    const after = String(await newestId());
    expect((await recorded(`/wait?method=POST&after=${after}&timeout_ms=50`)).status).toBe(404);
  });

  it("answers 404 with what came instead when it is over", async () => {
    await fetch(`${app.url}/api/article`, { headers: alice });
    const response = await recorded("/wait?path=/api/articles&timeout_ms=50");
    expect([response.status, (await response.json()) as object]).toMatchObject([
      404,
      { code: "not_seen", Message: expect.stringMatching(/^0 of 1 .* GET \/api\/article 404/) as string },
    ]);
  });

  it("POST …/assertions answers 200 when it is true, 409 with the reason when not", async () => {
    await createArticle("one");
    await createArticle("two");
    const isTrue = await assertThat({ method: "POST", path: "/api/articles", exactly: 2 });
    expect([isTrue.status, ((await isTrue.json()) as { count: number }).count]).toEqual([200, 2]);
    const status = async (assertion: object) => (await assertThat(assertion)).status;
    expect(await status({ method: "POST", json: { title: "two" }, exactly: 1 })).toBe(200);
    expect(await status({ headers: { "Content-Type": "application/json" }, exactly: 2 })).toBe(200);
    expect(await status({ body_contains: "three", at_most: 0 })).toBe(200);
    expect(await status({ response_contains: '"title":"one"' })).toBe(200);
    expect(await status({ status: 201, at_least: 1, at_most: 2 })).toBe(200);
    expect(await status({ method: "DELETE" })).toBe(409);
    const wrong = await assertThat({ method: "POST", json: { title: "three" } });
    expect([wrong.status, ((await wrong.json()) as { Message: string }).Message]).toEqual([
      409,
      expect.stringMatching(/at least 1 .* found 0.*POST \/api\/articles 201/),
    ]);
  });

  it("waits for an assertion to become true", async () => {
    const asserted = assertThat({ path: "/api/articles", json: { title: "late" }, timeout_ms: patienceMs });
    await createArticle("early");
    await createArticle("late");
    expect((await asserted).status).toBe(200);
  });

  it("names an unknown member, and refuses exactly beside at_least", async () => {
    expect(await (await assertThat({ methods: "GET" })).text()).toContain("methods");
    const both = await assertThat({ exactly: 1, at_least: 1 });
    expect([both.status, (await both.json()) as object]).toMatchObject([400, { details: [{ field: "exactly" }] }]);
  });
});

describe("the stream of /console/api/requests/stream", () => {
  it("says how much is recorded, at once and after each change", async () => {
    const left = new AbortController();
    const response = await recorded("/stream", { signal: left.signal });
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    let text = "";
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const readUntil = async (pattern: RegExp) => {
      while (!pattern.test(text)) text += (await reader?.read())?.value ?? "";
    };
    await readUntil(/event: requests\ndata: \{"newest_id":\d+,"total":0,"dropped":0\}\n\n/);
    await fetch(`${app.url}/nothing`);
    await readUntil(/"total":1,/);
    left.abort();
  });
});
