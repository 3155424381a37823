import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { FileEventPage } from "../../../../server/contract/app/file-events.ts";
import type { WatchProcess } from "../../../../server/contract/console/data/watch-processes.ts";
import { askConsole } from "../../../support/app/ask-console.ts";
import { startTestApp, type TestApp } from "../../../support/app/test-app.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const main = join(import.meta.dirname, "../../../../server/watcher/main.ts");
const temporary = temporaryFolder();
const folder = join(temporary.path, "watched");
const children: ChildProcess[] = [];
let app: TestApp;
beforeAll(async () => {
  mkdirSync(folder);
  app = await startTestApp();
});
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await app[Symbol.asyncDispose]();
  temporary[Symbol.dispose]();
});

const processes = async () =>
  (await askConsole<{ processes: WatchProcess[] }>(app, "GET", "/watch-processes")).body.processes;
const events = async () => (await askConsole<FileEventPage>(app, "GET", "/file-events")).body.events;

async function startWatch(...flags: string[]) {
  const to = `${app.url}/api/inotify/`;
  const child = spawn(process.execPath, [main, folder, "--to", to, "--data-dir", app.folder, ...flags]);
  children.push(child);
  let log = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (log += text));
  await expect.poll(() => log).toMatch(/\bwatching\b/);
  const ended = once(child, "exit");
  return {
    pid: child.pid,
    to,
    log: () => log,
    async end(signal: NodeJS.Signals) {
      child.kill(signal);
      await ended;
    },
  };
}

it("lists a hearth watch process with its folder and receiver until it is ended or killed", async () => {
  expect(await processes()).toEqual([]);
  for (const signal of ["SIGKILL", "SIGTERM"] as const) {
    const watch = await startWatch();
    const { pid, to } = watch;
    await expect.poll(processes).toEqual([{ pid, path: folder, to, started_at: expect.any(String) }]);
    await watch.end(signal);
    await expect.poll(processes).toEqual([]);
  }
});

it("hearth watch prints a line for each change that it sends, and none with --quiet", async () => {
  const loud = await startWatch();
  writeFileSync(join(folder, "a"), "");
  await expect.poll(loud.log).toContain(`sent ev=create df=${join(folder, "a")}`);
  await loud.end("SIGTERM");
  const quiet = await startWatch("--quiet");
  writeFileSync(join(folder, "b"), "");
  await expect.poll(events).toContainEqual(expect.objectContaining({ df: join(folder, "b"), ev: "create" }));
  await quiet.end("SIGTERM");
  expect(quiet.log()).not.toContain("sent");
});
