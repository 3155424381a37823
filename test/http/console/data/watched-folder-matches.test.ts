import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { FileEventPage } from "../../../../server/contract/app/file-events.ts";
import type { MatchResult, WatchedFolder } from "../../../../server/contract/console/data/watched-folders.ts";
import { createAskFolder } from "../../../../server/watcher/folder/ask-folder.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
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

/** What the receiver has stored of the folder, the oldest first, as `ev name`. */
async function stored(of = folder): Promise<string[]> {
  const response = await fetch(`${app.url}/console/api/file-events?path=${encodeURIComponent(of)}`, {
    headers: { Authorization: `Bearer ${consoleToken}` },
  });
  const { events } = (await response.json()) as FileEventPage;
  return events.map(({ df, ev }) => `${ev} ${df.slice(of.length + 1)}`).reverse();
}
const write = (name: string, text = "x") => writeFileSync(join(folder, name), text);

describe("POST /console/api/watched-folders/matches", () => {
  const matches = (body: object) => call<MatchResult & ConsoleRefusal>("POST", "/matches", body);

  it("says which paths of a sample are excluded, and by what; a path lies in the folders above it", async () => {
    const { status, body } = await matches({
      path: "/srv/app",
      exclude: ["[.]swp$", "/node_modules(/|$)", "^/srv/app$"],
      sample: ["/srv/app/a.ts", "b.swp", "node_modules/x/y.js", "/srv/app", "/elsewhere/node_modules"],
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      complete: true,
      matches: [
        { path: "/srv/app/a.ts", excluded: false },
        { path: "/srv/app/b.swp", excluded: true, pattern: "[.]swp$" },
        { path: "/srv/app/node_modules/x/y.js", excluded: true, pattern: "/node_modules(/|$)" },
        { path: "/srv/app", excluded: false },
        { path: "/elsewhere/node_modules", excluded: true, pattern: "/node_modules(/|$)" },
      ],
    });
  });

  it("looks through the folder when there is no sample, but not below what is excluded", async () => {
    for (const name of ["src", "src/deep", "dist"]) mkdirSync(join(folder, name));
    for (const name of ["src/deep/a.ts", "dist/a.js", "b.md"]) write(name);
    const { body } = await matches({ path: folder, exclude: ["/dist$"] });
    const lines = body.matches.map(({ path, excluded }) => `${excluded ? "-" : "+"} ${path.slice(folder.length + 1)}`);
    expect(lines.sort()).toEqual(["+ b.md", "+ src", "+ src/deep", "+ src/deep/a.ts", "- dist"]);
    expect(body.complete).toBe(true);
  });

  it("looks at a part of a large folder only, and says so", async () => {
    for (let i = 0; i < 700; i++) write(`f${String(i)}`, "");
    const { body } = await matches({ path: folder, exclude: [] });
    expect([body.matches.length, body.complete]).toEqual([500, false]);
  });

  it.each([
    [{ exclude: ["("], sample: ["/a"] }, "exclude.0"],
    [{ exclude: ["(a+)+$"], sample: [`/${"a".repeat(60)}!`] }, "exclude.0"],
    [{ exclude: [] }, "path"],
    [{ exclude: [], path: "relative", sample: ["a"] }, "path"],
  ])("answers 400 for %j, naming the field", async (body, field) => {
    const reply = await matches(body);
    expect([reply.status, reply.body.details[0]?.field]).toEqual([400, field]);
  });

  it("agrees with what the watch then leaves out", async () => {
    const exclude = ["/\\.git(/|$)", "~$", "/build/.*[.]o$"];
    const names = [".git/HEAD", "a~", "build/main.o", "build/main.c", "gitignore", "b"];
    const { body } = await matches({ path: folder, exclude, sample: names });
    await add({ exclude });
    for (const name of [".git", "build"]) mkdirSync(join(folder, name));
    for (const name of names) write(name);
    const created = async () => (await stored()).flatMap((line) => /^create (.*)/.exec(line)?.[1] ?? []).toSorted();
    const predicted = body.matches.filter(({ excluded }) => !excluded).map(({ path }) => path.slice(folder.length + 1));
    // What a new folder holds is found after what is named right away.
    await expect.poll(created).toEqual(["build", ...predicted].toSorted());
  });
});
