/** The database may not grow any more, and says what it says on a full disk; files say so by themselves. */
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toHttpError } from "../../../server/http/conventions/error-handler.ts";
import { callConsole } from "../../support/app/control-calls.ts";
import { zipBytes } from "../../support/files.ts";
import { consoleToken, startTestApp, type TestApp } from "../../support/app/test-app.ts";

let app: TestApp;
let headers: Record<string, string>;
beforeAll(async () => {
  app = await startTestApp();
  headers = await app.loggedIn();
});
afterAll(() => app[Symbol.asyncDispose]());

/** Pages: none is less than there are. */
const room = (pages: number) => sql`pragma max_page_count = ${sql.lit(pages)}`.execute(app.db);
const long = "x".repeat(90_000);
const imported = {
  id: 7,
  owner_uid: "",
  version: 1,
  created_at: "2026-01-02T03:04:05Z",
  updated_at: "2026-01-02T03:04:05Z",
  data: { title: "a", body: long },
};
const article = (body: string) => app.post(`${app.url}/api/articles`, { title: "a", body }, headers);
async function upload() {
  const form = new FormData();
  form.append("type", long.slice(0, 60_000));
  form.append("[]", new File([zipBytes({ "a.txt": "a" })], "a.zip"));
  return fetch(`${app.url}/api/uploads`, { method: "POST", body: form, headers });
}
const full = expect.stringMatching(/disk .* is full. Nothing was stored. Free some space/) as string;

describe("a full disk", () => {
  it("is a 503 that says what to do, changes nothing, and ends when there is room", async () => {
    const { length: before } = ((await (await fetch(`${app.url}/api/articles`, { headers })).json()) as { data: [] })
      .data;
    await room(1);
    const refused = await article(long);
    expect([refused.status, refused.headers.get("retry-after"), await refused.json()]).toEqual([
      503,
      "2",
      { Message: full, code: "disk_full" },
    ]);
    expect((await fetch(`${app.url}/healthz`)).status).toBe(200);
    const list = (await (await fetch(`${app.url}/api/articles`, { headers })).json()) as { data: [] };
    expect(list.data).toHaveLength(before);
    await room(1_000_000);
    expect((await article(long)).status).toBe(201);
  });

  it("answers an upload as uploads are answered, and keeps nothing of it", async () => {
    await room(1);
    const refused = await upload();
    expect([refused.status, refused.headers.get("retry-after"), await refused.json()]).toEqual([
      503,
      "2",
      expect.objectContaining({ success: false, err_msg: full }),
    ]);
    await room(1_000_000);
    const reply = await fetch(`${app.url}/console/api/uploads`, {
      headers: { Authorization: `Bearer ${consoleToken}` },
    });
    expect(await reply.json()).toMatchObject({ uploads: [], total: 0 });
    expect((await upload()).status).toBe(201);
  });

  it("is shown in the console with the same text, also when another service reports it", async () => {
    const document = { format: "hearth-data/1", collections: { articles: { records: [imported] } } };
    await room(1);
    let login: Response;
    let users = 0; // the first may find room in pages that are there
    do login = await callConsole(app, "POST", "/tokens", { user: `bob${String(users++)}` });
    while (login.status === 201);
    for (const refused of [login, await callConsole(app, "POST", "/data", document)])
      expect([refused.status, refused.headers.get("retry-after"), await refused.json()]).toEqual([
        503,
        "2",
        { Message: full, code: "disk_full" },
      ]);
    await room(1_000_000);
  });

  it.each(["ENOSPC", "EDQUOT", "SQLITE_FULL"])("is recognised by %s, wherever it occurs", (code) => {
    const error = Object.assign(new Error("no room"), { code });
    expect(toHttpError(error)).toMatchObject({ status: 503, code: "disk_full", headers: { "Retry-After": "2" } });
  });
});
