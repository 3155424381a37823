/** Code that loops, crashes or uses up memory harms its own callers only. */
import { Writable } from "node:stream";
import { pino } from "pino";
import { expect, it } from "vitest";
import { startWithCode } from "../../support/app/code-files.ts";
import { eventually } from "../../support/eventually.ts";
import { authorized, userFiles } from "../../support/app/user-files.ts";

function readLog() {
  const lines: string[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString());
      done();
    },
  });
  return { log: pino({ level: "info" }, stream), text: () => lines.join("") };
}

const soon = "{ deadlineMs: 200 }";

it("a handler past its deadline is ended, others get 503, and the code starts anew with its last state", async () => {
  await using code = await startWithCode(`
  get("/count", () => ({ count: (state.count = (state.count ?? 0) + 1) }));
  get("/loop", ${soon}, () => { state.count = 99; for (;;) {} });
  get("/never", ${soon}, () => new Promise(() => {}));
  get("/wait", () => new Promise(() => {}));
`);
  expect(await code.json("/count")).toEqual({ count: 1 });
  const [loop, waiting] = await Promise.all([code.get("/loop"), code.get("/wait")]);
  expect([loop.status, await loop.json()]).toEqual([
    500,
    {
      Message: "The code of this route did not answer within 200 ms and was ended.",
      code: "route_deadline",
      details: [{ field: "hearth.routes.ts:5:3", problem: "GET /loop" }],
    },
  ]);
  expect([waiting.status, waiting.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(await code.json("/count")).toEqual({ count: 2 });
  expect(((await code.json("/never")) as { code: string }).code).toBe("route_deadline");
  expect(await code.json("/count")).toEqual({ count: 3 });
});

const hogs: [what: string, handler: string, reason: RegExp][] = [
  ["objects", "const all = []; for (;;) all.push(1);", /more than 128 MB of memory/],
  ["lists", "const all = []; for (;;) all.push(new Array(1000).fill(1));", /more than 128 MB of memory/],
  ["buffers", "const all = []; for (;;) { all.push(Buffer.alloc(4e6, 1)); await null; }", /used too much memory/],
];
it.each(hogs)("a handler that uses up memory by %s gets 500, and all else answers", async (_what, handler, reason) => {
  await using code = await startWithCode(`
  get("/hog", { deadlineMs: 60_000 }, async () => { ${handler} });
  get("/well", () => "well");
`);
  const hog = await code.get("/hog");
  expect([hog.status, await hog.json()]).toEqual([
    500,
    { code: "route_ended", Message: expect.stringMatching(reason) as string, details: expect.anything() as unknown },
  ]);
  expect(await code.json("/well")).toBe("well");
  expect((await code.get("/api/articles")).status).toBe(401);
});

it("while code loops outside of handlers, Hearth's own API answers, and the routes 503", async () => {
  await using code = await startWithCode(`
  get("/busy", () => { setTimeout(() => { for (;;) {} }); return "begun"; });
  get("/well", () => "well");
`);
  expect(await code.json("/busy")).toBe("begun");
  // One may come before the loop begins.
  const routes = expect.poll(async () => (await code.get("/well")).status).toBe(503);
  expect((await code.get("/api/articles")).status).toBe(401);
  await routes;
  expect(await code.json("/well")).toBe("well");
});

it("10,000 timers, exceptions outside of handlers and endless prints end nothing", async () => {
  const { log, text } = readLog();
  await using code = await startWithCode(
    `
  get("/timers", () => {
    for (let n = 0; n < 10_000; n++) setTimeout(() => { throw new Error("tick " + n); }, 1);
    return "set";
  });
  get("/reject", () => { void Promise.reject("no reason"); return "rejected"; });
  get("/print", () => { for (let n = 0; n < 10_000; n++) console.log("line " + n + "x".repeat(9_000)); return "printed"; });
  get("/well", () => { console.error("all is well"); return "well"; });
`,
    { log },
  );
  for (const [path, answer] of [
    ["/timers", "set"],
    ["/reject", "rejected"],
    ["/print", "printed"],
    ["/well", "well"],
  ] as const)
    expect(await code.json(path)).toBe(answer);
  await expect.poll(() => text().includes("hearth.routes.ts:5:63: Error: tick 0")).toBe(true);
  expect(text().length).toBeLessThan(1_000_000);
});

it("prints go to the log, and the environment of Hearth is not the code's", async () => {
  process.env["HEARTH_TEST_SECRET"] = "not for code";
  const { log, text } = readLog();
  await using code = await startWithCode(
    `get("/env", () => { console.log("env has", Object.keys(process.env).length); return process.env; });`,
    { log },
  );
  expect(await code.json("/env")).toEqual({});
  await expect.poll(text).toContain("hearth.routes.ts: env has 0");
});

it("process.exit and thrown values of any kind are errors of their handler, with file, line and source", async () => {
  const { log, text } = readLog();
  await using code = await startWithCode(
    `
  get("/exit", () => process.exit(1));
  get("/text", () => { throw "a text"; });
  get("/broken", ({ headers }) => {
    const token = headers.authorization;
    throw new Error("bad token " + token);
  });
  get("/circle", () => { const one = {}; one.self = one; return one; });
  get("/function", () => () => 1);
  get("/status", () => reply(99));
  get("/header", () => reply(200, 1, { "Content-Length": "5" }));
`,
    { log },
  );
  const failed = async (path: string) => {
    const answer = await code.get(path, { headers: { Authorization: "Bearer abc.def" } });
    expect(answer.status).toBe(500);
    return (await answer.json()) as { code: string; Message: string; details: unknown };
  };
  expect((await failed("/exit")).Message).toContain("hearth.routes.ts:4:30: Error: process.exit ends no server here");
  expect((await failed("/text")).Message).toBe('hearth.routes.ts:5:3: "a text" was thrown');
  expect(await failed("/broken")).toEqual({
    code: "route_failed",
    Message: "hearth.routes.ts:8:11: Error: bad token …",
    details: [{ field: "hearth.routes.ts:8:11", problem: 'throw new Error("bad token " + token);' }],
  });
  expect((await failed("/circle")).Message).toMatch(/hearth.routes.ts:10:3: TypeError: .*circular/);
  expect((await failed("/function")).Message).toContain("TypeError: a function is no JSON");
  expect((await failed("/status")).Message).toContain("the status must be a whole number from 200 to 599");
  expect((await failed("/header")).Message).toContain("headers");
  await expect.poll(text).toContain("hearth.routes.ts:8:11");
  expect(text()).not.toContain("abc.def");

  const source = await eventually(async () => {
    const { requests } = (await code.json("/console/api/requests?path=/broken", { headers: authorized })) as {
      requests: { id: number }[];
    };
    const one = (await code.json(`/console/api/requests/${String(requests[0]?.id)}`, { headers: authorized })) as {
      error_source: { line: number; lines: string[] };
    };
    return one.error_source;
  });
  expect(source).toMatchObject({ line: 8, column: 11 });
  expect(source.lines.join("\n")).toContain('throw new Error("bad token " + token);');
});

it("an endless loop while the file is loaded is ended, and Hearth's own API answers meanwhile", async () => {
  await using code = await startWithCode("for (;;) {}");
  const routes = code.get("/any");
  expect((await code.get("/api/articles")).status).toBe(401);
  const failed = () => userFiles(code.app).events("routes.failed");
  await expect.poll(failed, { timeout: 20_000 }).toMatchObject([{ message: "the file is not loaded after 10 s" }]);
  expect((await routes).status).toBe(404);
});
