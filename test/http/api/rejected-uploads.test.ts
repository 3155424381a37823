import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { pngBytes } from "../../support/files.ts";
import { startTestApp, type TestApp } from "../../support/app/test-app.ts";
import { recordedLog } from "../../support/quiet-log.ts";

let app: TestApp;
let headers: Record<string, string>;
const rejected: { file_name: string; reason: string }[] = [];
beforeAll(async () => {
  app = await startTestApp({ settings: { MaxSizeOfSigleFile_MB: 0.01 } });
  headers = await app.loggedIn();
  app.bus.subscribe((event) => {
    if (event.type === "upload.rejected") rejected.push(event.data as (typeof rejected)[number]);
  });
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(() => void rejected.splice(0));

async function send(path: string, ...files: [part: string, name: string, content: Uint8Array<ArrayBuffer>][]) {
  const form = new FormData();
  for (const [part, name, content] of files) form.append(part, new File([content], name));
  const response = await fetch(`${app.url}${path}`, { method: "POST", headers, body: form });
  return ((await response.json()) as { err_msg: string }).err_msg;
}
const text = new TextEncoder().encode("<html>");
const png = pngBytes(2, 2);
const pngPart = (name: string): [string, string, Uint8Array<ArrayBuffer>] => ["[]", name, png];

it.each<[string, string, Parameters<typeof send>[1][], string]>([
  ["of a type that is not taken", "/api/uploads", [["[]", "图 und Ärger.exe", text]], "图 und Ärger.exe"],
  ["whose content does not fit its name", "/api/uploads", [["[]", "page.png", text]], "page.png"],
  ["that is too large", "/api/uploads", [["[]", "large.zip", new Uint8Array(20_000)]], "large.zip"],
  ["in another part than it should be", "/api/uploads", [["file", "astray.png", png]], "astray.png"],
  ["with another one", "/api/uploads", [pngPart("first.png"), pngPart("second.png")], "first.png"],
  ["that is no picture, as an avatar", "/api/avatars", [["Avatar", "me.zip", text]], "me.zip"],
  ["that is missing", "/api/uploads", [], ""],
])("a file %s is told of by an event with its name and the reason", async (_what, path, files, name) => {
  const reason = await send(path, ...files);
  expect(reason).toEqual(expect.any(String));
  expect(rejected).toEqual([{ file_name: name, reason }]);
});

it("an upload that fails with 500 has the form of every failed upload, and its cause is in the log", async () => {
  const { log, lines } = recordedLog();
  await using broken = await startTestApp({ log });
  const own = await broken.loggedIn();
  await broken.db.schema.dropTable("uploads").execute();
  const form = new FormData();
  form.append("[]", new File([png], "a.png"));
  const failed = await fetch(`${broken.url}/api/uploads`, { method: "POST", headers: own, body: form });
  const Message = "The server failed. See its log.";
  expect([failed.status, await failed.json()]).toEqual([500, { success: false, err_msg: Message }]);
  expect(lines.filter((line) => line.includes("no such table: uploads"))).toHaveLength(1);
});

it("an unknown field of an upload is reported, and refused with strict_requests, which leaves no file behind", async () => {
  const upload = (to: TestApp, own: Record<string, string>, path: string, part: string) => {
    const form = new FormData();
    form.append("typ", "project");
    form.append(part, new File([png], "a.png"));
    return fetch(`${to.url}${path}`, { method: "POST", headers: own, body: form, redirect: "manual" });
  };
  await using strict = await startTestApp({ settings: { strict_requests: true } });
  const own = await strict.loggedIn();
  for (const [path, part, status] of [
    ["/api/uploads", "[]", 201],
    ["/api/avatars", "Avatar", 302],
  ] as const) {
    const lenient = await upload(app, headers, path, part);
    expect([lenient.status, lenient.headers.get("hearth-warning")]).toEqual([status, 'unknown name "typ" in the body']);
    const refused = await upload(strict, own, path, part);
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { success: false, err_msg: "typ is not a known field." },
    ]);
  }
  const left = await readdir(join(strict.folder, "uploads"), { recursive: true, withFileTypes: true });
  expect(left.filter((entry) => entry.isFile())).toEqual([]);
});
