import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { pngBytes } from "../../support/files.ts";
import { startTestApp, type TestApp } from "../../support/app/test-app.ts";

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
