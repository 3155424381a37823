/** Data that were exported, edited by hand, and put back. */
import { expect, it } from "vitest";
import { startTestApp } from "../../support/app/test-app.ts";
import { authorized } from "../../support/app/user-files.ts";

it("gives what was edited another version: nobody takes it for the one they have read", async () => {
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
