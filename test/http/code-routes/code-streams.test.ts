import { afterAll, beforeAll, expect, it } from "vitest";
import { routesFile, startWithCode } from "../../support/app/code-files.ts";
import { authorized } from "../../support/app/user-files.ts";
import { eventually } from "../../support/eventually.ts";

const body = `
  state.open ??= 0;
  sse("/three", async function* ({ query }) {
    yield { event: "greeting", id: 7, data: "hello\\n" + query.name };
    yield { data: { n: 2 } };
  });
  sse("/ever", async function* () {
    state.open++;
    try {
      for (let n = 0; ; n++) {
        yield { data: n };
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    } finally {
      state.open--;
    }
  });
  sse("/flood", async function* () { for (;;) yield { data: "x".repeat(100_000) }; });
  sse("/mine", { login: true }, async function* ({ user }) { yield { data: user.uid }; });
  sse("/early", async function* () { fail(409, "sold_out", "None."); });
  sse("/late", async function* () { yield { data: 1 }; throw new Error("late"); });
  sse("/none", () => 1);
  get("/open", () => ({ open: state.open }));
  get("/well", () => "well");
`;
let code: Awaited<ReturnType<typeof startWithCode>>;
beforeAll(async () => void (code = await startWithCode(body)));
afterAll(() => code[Symbol.asyncDispose]());

/** Opens a stream and reads until it contains a text. */
async function open(path: string, text: string, init: RequestInit = {}) {
  const leaving = new AbortController();
  const answer = await code.get(path, { ...init, signal: leaving.signal });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let read = "";
  while (!read.includes(text)) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done) break;
    read += value;
  }
  return { answer, read, leave: () => leaving.abort() };
}

it("a route of sse answers what its generator yields as server-sent events", async () => {
  const answer = await code.get("/three?name=ada");
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
  expect(await answer.text()).toBe(
    'retry: 1000\n\nevent: greeting\nid: 7\ndata: hello\ndata: ada\n\ndata: {"n":2}\n\n',
  );
  expect((await code.get("/three", { method: "HEAD" })).status).toBe(200);
});

it("with login follows the login state, and a failure before the first event has its status", async () => {
  expect((await code.get("/mine")).status).toBe(401);
  const mine = await code.get("/mine", { headers: await code.app.loggedIn() });
  expect([await mine.text(), mine.headers.has("status-package")]).toEqual([
    expect.stringMatching(/data: u\d+/) as string,
    true,
  ]);
  const early = await code.get("/early");
  expect([early.status, await early.json()]).toEqual([409, { code: "sold_out", Message: "None." }]);
  expect(await code.json("/none")).toMatchObject({ Message: expect.stringContaining("async function*") as string });
});

it("a generator that fails later ends its stream, and the record of the request has the error", async () => {
  await expect(code.get("/late").then((answer) => answer.text())).rejects.toThrow();
  await eventually(async () => {
    const { requests } = (await code.json("/console/api/requests?path=/late", { headers: authorized })) as {
      requests: { id: number }[];
    };
    const one = await code.json(`/console/api/requests/${String(requests[0]?.id)}`, { headers: authorized });
    expect(one).toMatchObject({
      error: { code: "route_failed" },
      response: { body: { text: expect.stringContaining("data: 1") as string } },
    });
  });
});

it("a generator ends when its reader leaves", async () => {
  const stream = await open("/ever", "data: 3");
  expect(await code.json("/open")).toEqual({ open: 1 });
  stream.leave();
  await expect.poll(() => code.json("/open")).toEqual({ open: 0 });
});

it("a reader that reads nothing holds back its generator, and nobody else", async () => {
  const leaving = new AbortController();
  await code.get("/flood", { signal: leaving.signal });
  for (let n = 0; n < 20; n++) expect(await code.json("/well")).toBe("well");
  expect(process.memoryUsage().rss).toBeLessThan(2_000_000_000);
  leaving.abort();
});

it("1,000 readers get their events at the same time, and a change of the file cuts them", async () => {
  const streams = await Promise.all(Array.from({ length: 1_000 }, () => open("/ever", "data: 1")));
  expect(streams.every(({ read }) => read.includes("data: 1"))).toBe(true);
  expect(await code.json("/open")).toEqual({ open: 1_000 });
  code.write("hearth.routes.ts", routesFile('get("/open", () => "anew");'));
  await code.answers("/open", "anew");
  for (const { leave } of streams) leave();
});
