/** `hearth init` and `hearth types`: what a project gets from Hearth. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { simulatedLogin } from "../../../server/app/console/simulated-login.ts";
import { nextStep } from "../../../server/cli/init/init-command.ts";
import { shellWord } from "../../../server/contract/shell-words.ts";
import { readBlocks } from "../../docs/read-blocks.ts";
import { pngBytes } from "../../support/files.ts";
import { launchHearth } from "../../support/process/launch.ts";
import { listen } from "../../support/process/listen.ts";
import { runCommand } from "../../support/process/run-command.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { typeErrors } from "../../support/type-errors.ts";

const project = temporaryFolder();
afterAll(() => project[Symbol.dispose]());

const inProject = (...names: string[]) => join(project.path, ...names);
const hearth = (...args: string[]) =>
  runCommand(args, { TMPDIR: inProject("tmp"), XDG_DATA_HOME: inProject("tmp") }, project.path);

const odd = {
  type: "object",
  description: "Closes a comment: */",
  required: ["kind", "size"],
  properties: {
    kind: { enum: ["tea", "cup"] },
    "a size": { type: ["integer", "null"] },
    size: { oneOf: [{ type: "integer" }, { type: "object", properties: { text: { type: "string" } } }] },
    tags: {
      type: "array",
      items: { anyOf: [{ type: "string" }, { type: "object", properties: { id: { type: "integer" } } }] },
    },
    prices: { type: "object", additionalProperties: { type: "integer" } },
  },
  anyOf: [{ required: ["tags"] }, { required: ["prices"] }],
  "x-hearth": { owner: "anyone" },
};

/** What a user writes with the client; each line that must not compile says so. */
const use = `
import { createHearthClient, HearthRefusal, type Header, type Note } from "./api/hearth-client.js";

export async function use(baseUrl: string, token: string, picture: File) {
  const hearth = createHearthClient({ baseUrl, token: () => token });
  const created = await hearth.createNote({ body: { title: "Milk" } });
  const note: Note = created.body.data;
  const { body, headers } = await hearth.listNotes({ query: { q: "milk", page_size: 5 } });
  const titles: string[] = body.data.map(({ title }) => title);
  await hearth.updateNote({ params: { id: note.id }, headers: { "If-Match": created.headers.get("etag") ?? "" }, body: { done: true } });
  const minimal = await hearth.updateNote({ params: { id: note.id }, headers: { Prefer: "return=minimal" }, body: { text: "2 l" } });
  const bodiless: undefined = minimal.body;
  const whole: Note = (await hearth.updateNote({ params: { id: note.id }, body: {} })).body.data;
  const done: boolean | undefined = (await hearth.getNote({ params: { id: note.id } })).body.data.done;
  await hearth.createHeader({ body: { kind: "tea", size: { text: "big" }, tags: ["a", { id: 1 }] } });
  const odd: Header[] = (await hearth.listHeaders()).body.data;
  const upload = await hearth.createUpload({ body: { "[]": picture, type: "note" } });
  const content: Blob = (await hearth.getUploadContent({ params: { id: upload.body.id ?? 0 } })).body;
  const hours = (await hearth.getApiHours()).body;
  const refused = await createHearthClient({ baseUrl }).listNotes().catch((error: unknown) => error);
  const refusal = refused instanceof HearthRefusal ? [refused.status, refused.code] : [];
  const deleted: undefined = (await hearth.deleteNote({ params: { id: note.id } })).body;
  // @ts-expect-error -- a required member is missing
  void (() => hearth.createNote({ body: { text: "x" } }));
  // @ts-expect-error -- a misspelt member
  void (() => hearth.createNote({ body: { title: "x", bodi: "y" } }));
  // @ts-expect-error -- the id is missing
  void (() => hearth.getNote({}));
  // @ts-expect-error -- the answer has no body
  void (() => minimal.body.data);
  // @ts-expect-error -- nothing else can be preferred
  void (() => hearth.updateNote({ params: { id: 1 }, headers: { Prefer: "return=maximal" }, body: {} }));
  // @ts-expect-error -- no such kind
  void (() => hearth.createHeader({ body: { kind: "pot", size: 1 } }));
  return { titles, total: headers.get("x-total-count"), done, kinds: odd.map(({ kind }) => kind), size: content.size, hours, refusal, deleted, minimal: [minimal.status, bodiless], text: whole.text };
}
`;

/** What the guide shows of the client. */
const shown = readBlocks("docs/guides/web-app.md").find(({ language }) => language === "ts")?.text ?? "";

beforeAll(async () => {
  mkdirSync(inProject("tmp"));
  const { code, stdout } = await hearth("init");
  expect(code).toBe(0);
  expect(stdout).toMatch(/^wrote AGENTS[.]md$/m);
});

describe("hearth init", () => {
  it("writes a config, a collection, a test and a page for agents, says so, and names the next command", async () => {
    expect(readdirSync(project.path).sort()).toEqual([
      ".hearth",
      "AGENTS.md",
      "collections",
      "hearth.config.json",
      "test",
      "tmp",
    ]);
    expect(readFileSync(inProject("AGENTS.md"), "utf8")).toContain("collections/notes.json");
    expect(readFileSync(inProject(".hearth", ".gitignore"), "utf8")).toBe("*\n!.gitignore\n");
    if (process.platform !== "win32") expect(statSync(inProject(".hearth")).mode & 0o777).toBe(0o700);
    using other = temporaryFolder();
    const { code, stdout } = await hearth("init", join(other.path, "new"));
    expect([code, readdirSync(join(other.path, "new"))]).toEqual([0, expect.arrayContaining(["AGENTS.md", "test"])]);
    const own = shellWord(join(import.meta.dirname, "../../.."), process.platform);
    expect(stdout.endsWith(`\nNext: npm install -D vitest ${own} && npx vitest run\n`)).toBe(true);
  });

  it("has agents run a command against the project's collections", async () => {
    const page = readFileSync(inProject("AGENTS.md"), "utf8");
    const [, args = ""] = /`npx hearthkit (exec .*)-- COMMAND`/.exec(page) ?? [];
    const asks = `const { HEARTH_APP_URL: app, HEARTH_TOKEN: token } = process.env;
      const headers = { authorization: "Bearer " + token };
      console.log((await fetch(app + "/api/notes", { headers })).status);`;
    const command = ["--", process.execPath, "--input-type=module", "-e", asks];
    const { code, stdout } = await hearth(...args.trim().split(" "), ...command);
    expect([code, stdout]).toEqual([0, "200\n"]);
  });

  it("names the package that a checkout writes where the installed program runs, whose own npm cannot read", () => {
    using other = temporaryFolder();
    const next = nextStep(other.path, "/opt/Hearth/resources/app.asar/");
    expect(next).toMatch(
      /^run "npm pack" in a checkout of Hearth, then npm install -D vitest PATH\/hearthkit-VERSION\.tgz &&/,
    );
    mkdirSync(join(other.path, "node_modules", "hearthkit"), { recursive: true });
    writeFileSync(join(other.path, "node_modules", "hearthkit", "package.json"), "{}");
    expect(nextStep(other.path, "/opt/Hearth/resources/app.asar/")).toBe("npm install -D vitest && npx vitest run");
  });

  it("leaves what is there as it is", async () => {
    writeFileSync(inProject("AGENTS.md"), "My own");
    const { code, stdout } = await hearth("init");
    expect([code, stdout]).toEqual([0, expect.stringContaining("kept AGENTS.md")]);
    expect(stdout).not.toContain("wrote");
    expect(readFileSync(inProject("AGENTS.md"), "utf8")).toBe("My own");
  });
});

describe("hearth types", () => {
  it("writes a client that compiles strictly and talks to a real Hearth, and --check says when it is outdated", async () => {
    const routes = { routes: [{ method: "GET", path: "/api/hours", status: 200, body: { from: "09:00" } }] };
    writeFileSync(inProject("collections", "headers.json"), JSON.stringify(odd));
    writeFileSync(inProject(".hearth", "routes.json"), JSON.stringify(routes));
    mkdirSync(inProject("api"));
    const out = ["--out", "api/hearth-client.js"];
    expect(await hearth("types", ...out)).toMatchObject({
      code: 0,
      stdout: `${inProject("api", "hearth-client.js")}\n${inProject("api", "hearth-client.d.ts")}\n`,
      stderr: "",
    });
    writeFileSync(inProject("package.json"), JSON.stringify({ type: "module" }));
    writeFileSync(inProject("use.ts"), use);
    expect(typeErrors(inProject("use.ts"))).toEqual([]);
    writeFileSync(inProject("api", "shown.ts"), `declare const session: { token: string }, file: File;\n${shown}`);
    expect(typeErrors(inProject("api", "shown.ts"))).toEqual([]);

    await using launched = launchHearth({
      cwd: project.path,
      flags: ["--collections-dir", inProject("collections"), "--routes-file", inProject(".hearth", "routes.json")],
    });
    const { app, provider } = await launched.ready();
    const upToDate = [...out, "--check", "--url", app];
    expect(await hearth("types", ...upToDate)).toMatchObject({ code: 0, stdout: "", stderr: "" });
    const api = (await import(pathToFileURL(inProject("use.ts")).href)) as {
      use: (baseUrl: string, token: string, picture: File) => Promise<unknown>;
    };
    const { access_token } = await simulatedLogin("ada", { app, provider });
    const picture = new File([pngBytes(2, 2)], "cup.png");
    expect(await api.use(app, access_token, picture)).toEqual({
      titles: ["Milk"],
      total: "1",
      done: true,
      kinds: ["tea"],
      size: picture.size,
      hours: { from: "09:00" },
      refusal: [401, "login_required"],
      deleted: undefined,
      minimal: [204, undefined],
      text: "2 l",
    });

    const cups = { type: "object", properties: { name: { type: "string" } } };
    writeFileSync(inProject("collections", "cups.json"), JSON.stringify(cups));
    await expect.poll(async () => (await fetch(`${app}/api/cups`)).status).toBe(401);
    const { code, stderr } = await hearth("types", ...upToDate);
    expect([code, stderr]).toEqual([1, expect.stringContaining("hearth-client.js is outdated")]);
  });

  it("names the file that is wrong, with its line, and writes nothing", async () => {
    using broken = temporaryFolder();
    writeFileSync(join(broken.path, "books.json"), '{\n  "type": "objekt"\n}');
    const { code, stderr } = await hearth("types", "--collections-dir", broken.path, "--out", "broken.js");
    expect([code, stderr]).toEqual([1, expect.stringMatching(/books[.]json:2:\d+: /)]);
    expect(readdirSync(project.path)).not.toContain("broken.js");
  });

  it.each([
    [["--out", "client.ts"], 2, "--out"],
    [["--url", "nowhere"], 2, "--url"],
    [["--url", "http://127.0.0.1:9"], 1, "no server responds"],
    [["--url", "http://me:secret@127.0.0.1:9"], 1, "://…@127.0.0.1:9"],
  ])("refuses %j with %i", async (args, expected, named) => {
    const { code, stderr } = await hearth("types", ...args);
    expect([code, stderr]).toEqual([expected, expect.stringContaining(named)]);
  });

  it.each([
    ["HTML", (res: ServerResponse) => res.end("<!doctype html><title>Shop</title>"), "no API description"],
    ["other JSON", (res: ServerResponse) => res.end("{}"), "no API description"],
    [
      "another API's description",
      (res: ServerResponse) => res.end('{"paths":{"/a":{"get":{}}},"components":{}}'),
      "no API description",
    ],
    ["nothing", () => undefined, "did not respond"],
    ["half an answer", (res: ServerResponse) => res.write("{"), "did not respond"],
  ])("says in one line that at --url there is %s", async (_, answer, named) => {
    await using server = await listen((_req, res) => void answer(res));
    const { code, stderr } = await hearth("types", "--url", server.url);
    expect([code, stderr]).toEqual([1, expect.stringMatching(new RegExp(`^.*/swagger/docs/v1 .*${named}.*\n$`))]);
  });
});
