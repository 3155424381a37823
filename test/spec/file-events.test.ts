import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runWatch } from "../../server/watcher/run-watch.ts";
import { quietLog } from "../support/quiet-log.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import type { TestApp } from "../support/app/test-app.ts";
import { asConsole, bodyOf, describedServer, type Wire } from "./spec-client.ts";

const changes = ["modify", "attrib", "move", "create", "delete"];
const server = describedServer();
let app: TestApp;
beforeAll(async () => (app = await server.start()));
afterAll(server.stop);

const notify = (body: URLSearchParams, path = "/api/inotify/") => fetch(`${app.url}${path}`, { method: "POST", body });
const form = (fields: Record<string, string>) => new URLSearchParams(fields);
/** What the receiver has stored, as [df, ev]. */
async function stored(): Promise<[string, string][]> {
  const { events } = await bodyOf(
    await fetch(`${app.url}/console/api/events?type=file.changed&limit=200`, { headers: asConsole }),
  );
  return events.map(({ data }: Wire) => [data.df, data.ev]);
}

/** A watched folder whose watcher reports to the server; `eventsOf` tells what came of one path. */
async function watched(exclude: string[] = []) {
  const temporary = temporaryFolder();
  const base = realpathSync(temporary.path);
  const dir = join(base, "watched");
  mkdirSync(dir);
  const to = `${app.url}/api/inotify/`;
  const watch = await runWatch(
    { dir, to, exclude, patternDeadlineMs: 250, queueFile: join(base, "queue.jsonl") },
    quietLog,
  );
  return {
    dir,
    eventsOf: async (name: string) => (await stored()).filter(([df]) => df === join(dir, name)).map(([, ev]) => ev),
    async [Symbol.asyncDispose]() {
      await watch.stop();
      temporary[Symbol.dispose]();
    },
  };
}

describe("File-change fields", () => {
  it("[File-change fields 1] df is kept as it came, in any language, and must not be missing", async () => {
    const df = "/srv/图/a & b=c+d.txt";
    expect((await notify(form({ df, ev: "create" }))).status).toBe(202);
    await expect.poll(stored).toContainEqual([df, "create"]);
    for (const fields of [{ ev: "create" }, { df: "", ev: "create" }])
      expect((await notify(form(fields))).status).toBe(400);
  });

  it("[File-change fields 2] ev is one of the watcher's five names; any other is refused with a list of them", async () => {
    for (const ev of changes) expect((await notify(form({ df: "/fields-2", ev }))).status).toBe(202);
    for (const ev of ["", "MODIFY", "rename", "modify,attrib"]) {
      const refused = await notify(form({ df: "/fields-2", ev }));
      expect(refused.status).toBe(400);
      expect((await bodyOf(refused)).Message).toMatch(/modify.*attrib.*move.*create.*delete/);
    }
    expect((await notify(form({ df: "/fields-2" }))).status).toBe(400);
  });
});

describe("File-change receiver", () => {
  it("[File-change receiver 1] it takes a POST to /api/inotify/, without a login, and no other verb", async () => {
    expect((await notify(form({ df: "/receiver-1", ev: "create" }))).status).toBe(202);
    expect((await notify(form({ df: "/receiver-1", ev: "create" }), "/api/inotify")).status).toBe(202);
    expect((await fetch(`${app.url}/api/inotify/`, { method: "PUT" })).status).toBe(405);
  });

  it("[File-change receiver 2] it takes a form, and refuses JSON", async () => {
    const body = "ev=attrib&df=%2Freceiver-2+%E5%9B%BE";
    const type = "application/x-www-form-urlencoded";
    const reply = await fetch(`${app.url}/api/inotify/`, { method: "POST", body, headers: { "Content-Type": type } });
    expect(reply.status).toBe(202);
    await expect.poll(stored).toContainEqual(["/receiver-2 图", "attrib"]);
    expect((await app.post(`${app.url}/api/inotify/`, { df: "/a", ev: "create" })).status).toBe(415);
  });

  it("[File-change receiver 3] the watcher sends each change of a watched folder", async () => {
    await using folder = await watched();
    writeFileSync(join(folder.dir, "one.txt"), "1");
    writeFileSync(join(folder.dir, "two.txt"), "2");
    await expect.poll(() => folder.eventsOf("one.txt")).toContain("create");
    await expect.poll(() => folder.eventsOf("two.txt")).toContain("create");
    rmSync(join(folder.dir, "one.txt"));
    await expect.poll(() => folder.eventsOf("one.txt")).toContain("delete");
    expect(await folder.eventsOf("two.txt")).not.toContain("delete");
  });

  it("[File-change receiver 4] what an exclude pattern of the watcher matches is not sent", async () => {
    await using folder = await watched(["[.]tmp$", "/cache/"]);
    mkdirSync(join(folder.dir, "cache"));
    for (const name of ["a.tmp", "cache/b.txt", "c.txt"]) writeFileSync(join(folder.dir, name), "x");
    await expect.poll(() => folder.eventsOf("c.txt")).toContain("create");
    expect([await folder.eventsOf("a.tmp"), await folder.eventsOf("cache/b.txt")]).toEqual([[], []]);
  });

  it("[File-change receiver 5] it answers 202 with an empty body, as described", async () => {
    const reply = await notify(form({ df: "/receiver-5", ev: "delete" }));
    expect([reply.status, await reply.text()]).toEqual([202, ""]);
    const { paths } = await bodyOf(await fetch(`${app.url}/swagger/docs/v1`));
    expect(Object.keys(paths["/api/inotify"].post.responses)).toContain("202");
  });
});

describe("Events", () => {
  it("[Events 2] a real folder's changes arrive as modify, attrib, move, create and delete", async () => {
    await using folder = await watched();
    const sh = (command: string) => execFileSync("/bin/sh", ["-ec", command], { cwd: folder.dir });
    const after = async (command: string, name: string, ev: string) => {
      sh(command);
      await expect.poll(() => folder.eventsOf(name), { message: `${command} is ${ev} of ${name}` }).toContain(ev);
    };
    await after("echo 1 > a.txt", "a.txt", "create");
    await after("echo 2 >> a.txt", "a.txt", "modify");
    await after("chmod 600 a.txt", "a.txt", "attrib");
    await after("mv a.txt b.txt", "b.txt", "move");
    await after("rm b.txt", "b.txt", "delete");
    expect(await folder.eventsOf("a.txt")).not.toContain("delete");
  });
});
