/** Data that were exported, edited by hand, and put back. */
import { expect, it } from "vitest";
import { startTestApp } from "../../../support/app/test-app.ts";
import { authorized } from "../../../support/app/user-files.ts";

it("an import gives edited items another version, so that nobody confuses them with the version they have read", async () => {
  await using app = await startTestApp();
  const alice = await app.loggedIn("alice");
  const created = await app.post(`${app.url}/api/articles`, { title: "original" }, alice);
  const { data } = (await created.json()) as { data: { id: number } };
  const address = `${app.url}/api/articles/${String(data.id)}`;
  const tag = created.headers.get("etag") ?? "";
  const exported = await (await fetch(`${app.url}/console/api/data`, { headers: authorized })).text();
  const put = async (body: string) => {
    const headers = { ...authorized, "Content-Type": "application/json" };
    expect((await fetch(`${app.url}/console/api/data`, { method: "PUT", headers, body })).status).toBe(200);
  };

  await put(exported);
  const same = await fetch(address, { headers: { ...alice, "If-None-Match": tag } });
  expect(same.status).toBe(304);

  await put(exported.replace("original", "edited"));
  const answer = await fetch(address, { headers: { ...alice, "If-None-Match": tag } });
  expect([answer.status, await answer.json()]).toMatchObject([200, { data: { title: "edited" } }]);
  const stale = await fetch(address, {
    method: "PUT",
    headers: { ...alice, "Content-Type": "application/json", "If-Match": tag },
    body: JSON.stringify({ title: "mine" }),
  });
  expect(stale.status).toBe(412);
});

it("an import refuses an id and a version whose successors would not be exact numbers", async () => {
  await using app = await startTestApp();
  const alice = await app.loggedIn("alice");
  const created_at = "2026-01-02T03:04:05.678Z";
  const record = { id: 1, owner_uid: "u1", version: 1, created_at, updated_at: created_at, data: { title: "x" } };
  const merge = async (content: object) => {
    const document = { format: "hearth-data/1", collections: { articles: { records: [], ...content } } };
    const reply = await app.post(`${app.url}/console/api/data`, document, authorized);
    const { details } = (await reply.json()) as { details?: { field: string }[] };
    return [reply.status, details?.map(({ field }) => field)];
  };
  for (const [field, content] of [
    ["last_id", { last_id: Number.MAX_SAFE_INTEGER }],
    ["records.0.id", { records: [{ ...record, id: Number.MAX_SAFE_INTEGER }] }],
    ["records.0.version", { records: [{ ...record, version: Number.MAX_SAFE_INTEGER }] }],
  ] as const)
    expect(await merge(content)).toEqual([400, [`collections.articles.${field}`]]);
  expect(await merge({ last_id: 2 ** 52, records: [{ ...record, version: 2 ** 52 }] })).toEqual([200, undefined]);
  const made = await app.post(`${app.url}/api/articles`, { title: "next" }, alice);
  expect(made.headers.get("location")).toBe(`/api/articles/${String(2 ** 52 + 1)}`);
  expect((await fetch(`${app.url}/api/articles/${String(2 ** 52 + 1)}`, { headers: alice })).status).toBe(200);
});
