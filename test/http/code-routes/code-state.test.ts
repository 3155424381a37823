import { expect, it } from "vitest";
import { startWithCode } from "../../support/app/code-files.ts";
import { authorized } from "../../support/app/user-files.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const counting = `
  let sinceLoad = 0;
  state.log ??= ["begun"];
  post("/log", ({ body }) => { state.log.push(body.text); sinceLoad++; return state.log; });
  get("/log", () => ({ log: state.log, sinceLoad }));
  post("/huge", () => { state.huge = "x".repeat(2_000_000); return 1; });
  post("/shrink", () => { delete state.huge; return 1; });
`;

const say = (text: string): RequestInit => ({
  method: "POST",
  body: JSON.stringify({ text }),
  headers: { "Content-Type": "application/json" },
});

it("the state outlives a restart of Hearth", async () => {
  using data = temporaryFolder();
  {
    await using code = await startWithCode(counting, { folder: data.path });
    expect(await code.json("/log", say("a"))).toEqual(["begun", "a"]);
  }
  await using code = await startWithCode(counting, { folder: data.path });
  expect(await code.json("/log")).toEqual({ log: ["begun", "a"], sinceLoad: 0 });
});

it("a reset of the records empties it, a fixture restores it, and the code starts anew with both", async () => {
  await using code = await startWithCode(counting);
  const control = async (method: string, path: string, body?: object) => {
    const answer = await code.get(`/console/api${path}`, {
      method,
      headers: { ...authorized, "Content-Type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(answer.ok).toBe(true);
  };
  await code.get("/log", say("a"));
  await control("PUT", "/fixtures/one", { parts: ["records"] });
  await code.get("/log", say("b"));
  await control("POST", "/resets", { parts: ["records"] });
  expect(await code.json("/log")).toEqual({ log: ["begun"], sinceLoad: 0 });
  await control("POST", "/fixtures/one/loads");
  expect(await code.json("/log")).toEqual({ log: ["begun", "a"], sinceLoad: 0 });
});

it("a state over 1 MB is an error of its handler, and the last smaller one stays stored", async () => {
  await using code = await startWithCode(counting);
  await code.get("/log", say("a"));
  const answer = await code.get("/huge", { method: "POST" });
  expect([answer.status, ((await answer.json()) as { Message: string }).Message]).toEqual([
    500,
    expect.stringContaining("the state is longer than 1 MB") as string,
  ]);
  expect((await code.get("/shrink", { method: "POST" })).status).toBe(200);
  expect(await code.json("/log")).toEqual({ log: ["begun", "a"], sinceLoad: 1 });
});

it("many handlers at once lose no change", async () => {
  await using code = await startWithCode(counting);
  await Promise.all(Array.from({ length: 50 }, (_, n) => code.get("/log", say(String(n)))));
  const { log } = (await code.json("/log")) as { log: string[] };
  expect(log.slice(1).sort()).toEqual(Array.from({ length: 50 }, (_, n) => String(n)).sort());
});
