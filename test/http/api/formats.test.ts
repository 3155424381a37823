import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestApp, type TestApp } from "../../support/app/test-app.ts";

let app: TestApp;
let headers: Record<string, string>;
beforeAll(async () => {
  app = await startTestApp();
  headers = await app.loggedIn();
});
afterAll(() => app[Symbol.asyncDispose]());

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);
const send = (path: string, method: string, accept: string, body?: FormData | URLSearchParams) =>
  fetch(app.url + path, { method, headers: { ...headers, Accept: accept }, redirect: "manual", ...(body && { body }) });
function form(part: string, content: Buffer<ArrayBuffer>): FormData {
  const made = new FormData();
  made.append(part, new File([content], "a.png"));
  return made;
}

it.each(["text/html", "text/plain", ""])(
  "an operation whose success has no body succeeds with Accept: %j",
  async (accept) => {
    const avatar = await send("/api/avatars", "POST", accept, form("Avatar", png));
    expect([avatar.status, avatar.headers.get("location")]).toEqual([302, expect.stringMatching(/^\/avatars\//)]);
    const change = new URLSearchParams({ df: "/a/b.txt", ev: "modify" });
    expect((await send("/api/inotify/", "POST", accept, change)).status).toBe(202);
    const created = await app.post(`${app.url}/api/articles`, { title: "short-lived" }, headers);
    expect((await send(created.headers.get("location") ?? "", "DELETE", accept)).status).toBe(204);
  },
);

it("an upload is answered in JSON, failures included, when Accept names no supported format", async () => {
  const stored = await send("/api/uploads", "POST", "text/html", form("[]", png));
  expect([stored.status, await stored.json()]).toEqual([201, expect.objectContaining({ success: true })]);
  for (const [path, part] of [
    ["/api/uploads", "[]"],
    ["/api/avatars", "Avatar"],
  ] as const) {
    const refused = await send(path, "POST", "text/html", form(part, Buffer.from("no picture")));
    expect([refused.status, await refused.json()]).toEqual([400, { success: false, err_msg: expect.any(String) }]);
  }
});

it("a 401 names the next step of the login whatever Accept says", async () => {
  const reply = await fetch(`${app.url}/api/articles`, { headers: { Accept: "text/html" } });
  expect([reply.status, reply.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
  expect((await send("/api/articles", "GET", "text/html")).status).toBe(406);
});
