import { mkdirSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { FileEventPage } from "../../../../server/contract/app/file-events.ts";
import type { WatchedFolder } from "../../../../server/contract/console/data/watched-folders.ts";
import { createAskFolder } from "../../../../server/watcher/folder/ask-folder.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import { whileUnreadable } from "../../../support/process/unreadable.ts";
import { askConsole, type ConsoleRefusal } from "../../../support/app/ask-console.ts";
import { consoleToken, startTestApp, type TestApp } from "../../../support/app/test-app.ts";

const temporary = temporaryFolder();
let app: TestApp;
let [folder, folders] = ["", 0];
beforeAll(async () => {
  const look = async (dir: string) => dir.endsWith("/silent") && new Promise(() => undefined);
  app = await startTestApp({ askFolder: createAskFolder(look, 1) });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  temporary[Symbol.dispose]();
});
beforeEach(() => {
  folder = join(realpathSync(temporary.path), `folder-${String(++folders)}`);
  mkdirSync(folder);
});

const call = <Body = WatchedFolder>(method: string, path = "", body?: unknown) =>
  askConsole<Body>(app, method, `/watched-folders${path}`, body);
const add = async (fields: object = {}) => (await call("POST", "", { path: folder, ...fields })).body;
const list = async () => (await call<{ folders: WatchedFolder[] }>("GET")).body.folders;

/** What the receiver has stored of the folder, the oldest first, as `ev name`. */
async function stored(of = folder): Promise<string[]> {
  const response = await fetch(`${app.url}/console/api/file-events?path=${encodeURIComponent(of)}`, {
    headers: { Authorization: `Bearer ${consoleToken}` },
  });
  const { events } = (await response.json()) as FileEventPage;
  return events.map(({ df, ev }) => `${ev} ${df.slice(of.length + 1)}`).reverse();
}
const write = (name: string, text = "x") => writeFileSync(join(folder, name), text);

describe("POST /console/api/watched-folders", () => {
  it("answers 400 for a folder in the user's home that does not exist, with the whole path", async () => {
    const { status, body } = await call<ConsoleRefusal>("POST", "", { path: "~/no such folder of Hearth" });
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(`${homedir()}/no such folder`)]);
  });

  it("names the outermost folder that cannot be read as the reason, until it can be read again", async () => {
    mkdirSync(join(folder, "locked", "deep"), { recursive: true });
    write("locked/deep/a");
    await add();
    const reasons = async () => (await list()).filter(({ path }) => path === folder).map(({ reason }) => reason ?? "");
    await whileUnreadable(join(folder, "locked"), async () => {
      write("locked/deep/a", "xx");
      await expect.poll(reasons).toEqual([expect.stringMatching(/\/locked cannot be read/)]);
    });
    await expect.poll(reasons).toEqual([""]);
    await expect.poll(() => stored()).toEqual(["modify locked/deep/a"]);
  });

  it("answers 201 once the folder is watched: every change is posted to the receiver and stored", async () => {
    const { status, location, body } = await call("POST", "", { path: `${folder}/` });
    expect([status, location]).toEqual([201, `/console/api/watched-folders/${String(body.id)}`]);
    expect(body).toMatchObject({ path: folder, exclude: [], state: "watching", waiting: 0 });
    write("图 1.txt");
    await expect.poll(() => stored()).toEqual(["create 图 1.txt", "modify 图 1.txt"]);
    rmSync(join(folder, "图 1.txt"));
    await expect.poll(() => stored()).toContain("delete 图 1.txt");
    expect((await call("GET", `/${String(body.id)}`)).body.counts).toEqual({
      create: 1,
      modify: 1,
      delete: 1,
      move: 0,
      attrib: 0,
    });
    await expect.poll(async () => (await call("GET", `/${String(body.id)}`)).body.waiting).toBe(0);
  });

  it("leaves out what a pattern matches, and everything below it", async () => {
    await add({ exclude: ["[.]tmp$", "/cache(/|$)"] });
    mkdirSync(join(folder, "cache"));
    for (const name of ["a.tmp", "cache/b.txt", "c.txt"]) write(name);
    await expect.poll(() => stored()).toContain("modify c.txt");
    expect((await stored()).every((line) => line.endsWith(" c.txt"))).toBe(true);
  });

  it("answers 409 for a folder that is on the list", async () => {
    await add();
    const { status, body } = await call<ConsoleRefusal>("POST", "", { path: `${folder}/.` });
    expect([status, body.code]).toEqual([409, "already_watched"]);
  });

  it.each<[string, (path: string) => object, string, RegExp]>([
    ["a relative path", () => ({ path: "some/folder" }), "path", /absolute/],
    ["a path that is not there", (path) => ({ path: join(path, "nothing") }), "path", /does not exist/],
    ["a file", (path) => ({ path: join(path, "file") }), "path", /not a folder/],
    ["a share that is away", (path) => ({ path: join(path, "silent") }), "path", /does not respond/],
    ["a NUL character", (path) => ({ path: `${path}\0` }), "path", /NUL/],
    ["no path", () => ({}), "path", /./],
    ["the data directory", () => ({ path: app.folder }), "path", /Hearth keeps its own files/],
    ["a pattern that is none", (path) => ({ path, exclude: ["fine", "(("] }), "exclude.1", /\(\(.*not a regular expr/],
    ["a pattern of endless work", (path) => ({ path, exclude: ["(\\w+)*[.]tmp$"] }), "exclude.0", /takes too long/],
    ["one of endless work on what it names", (path) => ({ path, exclude: ["/(x+x+)+y$"] }), "exclude.0", /too long/],
    ["patterns that are no list", (path) => ({ path, exclude: "a" }), "exclude", /./],
  ])("answers 400 for %s, naming the field", async (_what, fields, field, message) => {
    write("file");
    const before = await list();
    const { status, body } = await call<ConsoleRefusal>("POST", "", fields(folder));
    expect([status, body.details[0]?.field]).toEqual([400, field]);
    expect(body.Message).toMatch(message);
    expect((await list()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  });

  it("does not report Hearth's own files, though the data directory lies in the folder, by whatever name", async () => {
    const above = join(realpathSync(temporary.path), "above");
    symlinkSync(join(app.folder, ".."), above);
    const { body } = await call("POST", "", {
      path: above,
      exclude: [`^${above}/(?!${app.folder.split("/").at(-1)})`],
    });
    expect(body.state).toBe("watching");
    for (const name of ["own.txt", "watch/own.txt"]) {
      mkdirSync(join(app.folder, "watch"), { recursive: true });
      writeFileSync(join(app.folder, name), "x");
    }
    await add();
    write("marker");
    await expect.poll(() => stored()).toContain("create marker");
    expect(await stored(above)).toEqual([]);
    await call("DELETE", `/${String(body.id)}`);
  });

  it("needs the console token", async () => {
    expect((await fetch(`${app.url}/console/api/watched-folders`)).status).toBe(401);
  });
});

describe("PATCH /console/api/watched-folders/{id}", () => {
  it("pauses a folder, of which nothing is then reported, and resumes it", async () => {
    const { id } = await add();
    expect((await call("PATCH", `/${String(id)}`, { paused: true })).body.state).toBe("paused");
    write("while-paused");
    expect((await call("PATCH", `/${String(id)}`, { paused: false })).body.state).toBe("watching");
    write("afterwards");
    await expect.poll(() => stored()).toContain("create afterwards");
    expect((await stored()).filter((line) => line.includes("while-paused"))).toEqual([]);
  });

  it("changes whether what happens between two runs is reported", async () => {
    const { id, catch_up } = await add();
    expect(catch_up).toBe(true);
    expect((await call("PATCH", `/${String(id)}`, { catch_up: false })).body).toMatchObject({
      catch_up: false,
      state: "watching",
    });
    expect((await call("GET", `/${String(id)}`)).body.catch_up).toBe(false);
  });

  it("changes what is left out", async () => {
    const { id } = await add({ exclude: ["[.]tmp$"] });
    const changed = await call("PATCH", `/${String(id)}`, { exclude: ["[.]log$"] });
    expect(changed.body).toMatchObject({ exclude: ["[.]log$"], state: "watching" });
    for (const name of ["a.log", "b.tmp", "c"]) write(name);
    await expect.poll(() => stored()).toContain("create c");
    expect(await stored()).toContain("create b.tmp");
    expect(await stored()).not.toContain("create a.log");
  });

  it("answers 400 for an invalid pattern and leaves the folder unchanged", async () => {
    const { id } = await add({ exclude: ["a"] });
    const { status, body } = await call<ConsoleRefusal>("PATCH", `/${String(id)}`, { exclude: ["["] });
    expect([status, body.details[0]?.field]).toEqual([400, "exclude.0"]);
    expect((await call("GET", `/${String(id)}`)).body).toMatchObject({ exclude: ["a"], state: "watching" });
  });

  it("answers with what there is when changes come all at once", async () => {
    const { id } = await add();
    await Promise.all([
      ...[true, false, true, false].map((paused) => call("PATCH", `/${String(id)}`, { paused })),
      call("PATCH", `/${String(id)}`, { exclude: ["no-such-name"] }),
    ]);
    expect((await call("GET", `/${String(id)}`)).body).toMatchObject({ exclude: ["no-such-name"], state: "watching" });
    write("after");
    await expect.poll(() => stored()).toEqual(["create after", "modify after"]);
  });
});

it("a folder that is gone when it is resumed has failed with the reason, and is watched when it is back", async () => {
  const { id } = await add();
  await call("PATCH", `/${String(id)}`, { paused: true });
  rmSync(folder, { recursive: true });
  const failed = (await call("PATCH", `/${String(id)}`, { paused: false })).body;
  expect(failed).toMatchObject({ state: "failed", reason: expect.stringContaining("no such folder") });
  mkdirSync(folder);
  await expect.poll(async () => (await call("GET", `/${String(id)}`)).body.state).toBe("watching");
  expect((await call("GET", `/${String(id)}`)).body).not.toHaveProperty("reason");
  write("back");
  await expect.poll(() => stored()).toContain("create back");
});

describe("DELETE /console/api/watched-folders/{id}", () => {
  it("answers 204, watches no more and keeps what is stored; the folder may be added again", async () => {
    const { id } = await add();
    write("before");
    await expect.poll(() => stored()).toEqual(["create before", "modify before"]);
    expect((await call("DELETE", `/${String(id)}`)).status).toBe(204);
    expect(readdirSync(join(app.folder, "watch")).join(" ")).not.toContain(`folder-${String(id)}.`);
    write("after");
    const again = await add();
    expect(again.id).not.toBe(id);
    write("again");
    await expect.poll(() => stored()).toContain("modify again");
    expect(await stored()).toEqual(["create before", "modify before", "create again", "modify again"]);
  });

  it.each(["GET", "PATCH", "DELETE"])("answers 404 to %s of a folder that is not on the list", async (method) => {
    expect((await call(method, "/987654", method === "PATCH" ? { paused: true } : undefined)).status).toBe(404);
  });
});
