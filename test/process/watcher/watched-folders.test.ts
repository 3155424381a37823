/** Folders that the app process watches: over restarts, and while its own receiver takes nothing. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { FileEventPage } from "../../../server/contract/app/file-events.ts";
import type { WatchedFolder } from "../../../server/contract/console/data/watched-folders.ts";
import { built, plainEnvironment } from "../../support/process/launch.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const main = built("app");
const temporary = temporaryFolder();
const base = realpathSync(temporary.path);
const folder = join(base, "watched 图");
beforeAll(() => void mkdirSync(folder));
afterAll(() => temporary[Symbol.dispose]());

/** The app process alone, over a data directory that outlives it. */
async function startApp(flags: string[] = []) {
  const args = ["--data-dir", join(base, "data"), "--app-port", "0", "--provider-port", "0", ...flags];
  const env = { ...plainEnvironment(), HEARTH_CONSOLE_TOKEN: "token" };
  const child = spawn(process.execPath, [main, ...args], { stdio: ["ignore", "pipe", "inherit"], env });
  let log = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (log += text));
  const listening = () => /"app":"(http:[^"]+)".*"listening"/.exec(log)?.[1];
  await expect.poll(listening).toBeDefined();
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${listening() ?? ""}/console/api/${path}`, {
      method,
      headers: { Authorization: "Bearer token", "Content-Type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    return response.json();
  };
  return {
    add: (path: string, exclude: string[] = [], rest: { catch_up?: boolean } = {}) =>
      call("POST", "watched-folders", { path, exclude, ...rest }) as Promise<WatchedFolder>,
    change: (id: number, change: object) => call("PATCH", `watched-folders/${String(id)}`, change),
    folders: async () => ((await call("GET", "watched-folders")) as { folders: WatchedFolder[] }).folders,
    events: (query = "") => call("GET", `file-events?limit=500&${query}`) as Promise<FileEventPage>,
    async end(signal: NodeJS.Signals) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill(signal);
      await once(child, "exit");
    },
    async [Symbol.asyncDispose]() {
      await this.end("SIGKILL");
    },
  };
}

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${String(i)}`);
const makeFiles = (files: readonly string[]) => {
  for (const name of files) writeFileSync(join(folder, name), "");
};
/** Which files were created, by what is stored, in the order in which it came. */
const createdIn = ({ events }: FileEventPage) =>
  events.flatMap(({ df, ev }) => (ev === "create" ? [df.slice(folder.length + 1)] : [])).reverse();

it("a watched folder is watched again after a restart and reports the changes meanwhile; no event is lost or stored twice", async () => {
  const quiet = join(base, "quiet");
  mkdirSync(quiet);
  const first = names("refused-", 20);
  await using closed = await startApp(["--maintenance"]);
  expect(await closed.add(folder)).toMatchObject({ state: "watching", path: folder });
  makeFiles(first);
  await expect.poll(async () => (await closed.folders())[0]?.waiting).toBe(20);
  expect((await closed.events()).total).toBe(0);
  await closed.end("SIGKILL");

  await using open = await startApp();
  await expect.poll(async () => (await open.folders())[0]?.state).toBe("watching");
  await expect.poll(async () => createdIn(await open.events())).toEqual(first);
  // All have been seen; most are still to be delivered.
  const burst = names("burst-", 400);
  makeFiles(burst);
  await expect.poll(async () => (await open.folders())[0]?.counts.create, { interval: 5 }).toBe(400);
  expect(await open.add(quiet, [], { catch_up: false })).toMatchObject({ state: "watching", catch_up: false });
  await open.end("SIGKILL");

  makeFiles(["between"]);
  writeFileSync(join(quiet, "between"), "");
  await using again = await startApp();
  await expect.poll(async () => (await again.folders())[0]).toMatchObject({ state: "watching", waiting: 0 });
  await expect.poll(async () => createdIn(await again.events())).toEqual([...first, ...burst, "between"]);
  makeFiles(["last"]);
  await expect.poll(async () => createdIn(await again.events("q=last"))).toEqual(["last"]);
  expect((await again.events("q=quiet")).total).toBe(0);
  await again.end("SIGTERM");
});

it("a paused folder stays paused over a restart, and one that is gone has failed with the reason until it is back", async () => {
  const other = join(base, "other");
  mkdirSync(other);
  await using before = await startApp();
  const { id } = await before.add(other);
  const [watched] = await before.folders();
  await before.change(watched?.id ?? 0, { paused: true });
  await before.end("SIGTERM");
  rmSync(other, { recursive: true });

  await using after = await startApp();
  const stateOf = async (one: number) => (await after.folders()).find((found) => found.id === one);
  await expect.poll(() => stateOf(id)).toMatchObject({ state: "failed", reason: expect.stringContaining(other) });
  expect(await stateOf(watched?.id ?? 0)).toMatchObject({ state: "paused" });
  mkdirSync(other);
  await expect.poll(() => stateOf(id)).toMatchObject({ state: "watching" });
});

it("a path that leads to a folder in the data directory has failed with the reason until it leads elsewhere", async () => {
  const [one, link, own] = [join(base, "one"), join(base, "leads"), join(base, "data/watch")];
  const lead = (to: string) => {
    rmSync(link, { force: true });
    symlinkSync(to, link);
  };
  mkdirSync(one);
  writeFileSync(join(one, "kept"), "");
  await using app = await startApp();
  lead(own);
  expect(await app.add(link)).toMatchObject({ code: "bad_path" });
  lead(one);
  const { id } = await app.add(link);
  lead(own);
  const state = async () => (await app.folders()).find((found) => found.id === id);
  await expect.poll(state).toMatchObject({ state: "failed", reason: expect.stringContaining("own files") });
  lead(one);
  await expect.poll(state).toMatchObject({ state: "watching" });
  writeFileSync(join(one, "new"), "");
  await expect
    .poll(async () => (await app.events(`q=${link}`)).events.map(({ df }) => df))
    .toContain(join(link, "new"));
  expect((await app.events(`q=${link}`)).events.filter(({ df }) => df !== join(link, "new"))).toEqual([]);
  await app.end("SIGTERM");
});

it("a pattern that never ends on a file is dropped and reported once in each run; every run starts and reports", async () => {
  const hard = join(base, "hard");
  mkdirSync(hard);
  const name = "xy".repeat(40);
  const state = { state: "watching", reason: expect.stringContaining('"/((xy)+(xy)+)+z$" takes too long') };
  for (const run of [1, 2]) {
    await using app = await startApp();
    if (run === 1) await app.add(hard, ["[.]swp$", "/((xy)+(xy)+)+z$"]);
    for (const file of ["a.swp", name]) writeFileSync(join(hard, file), String(run));
    await expect.poll(async () => (await app.events()).events.map(({ df }) => df)).toContain(join(hard, name));
    await expect.poll(async () => (await app.folders()).find(({ path }) => path === hard)).toMatchObject(state);
    const { events } = await app.events();
    expect(events.filter(({ df }) => df.endsWith(".swp"))).toEqual([]);
    await app.end("SIGKILL");
  }
});
