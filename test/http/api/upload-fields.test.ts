import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { pngBytes } from "../../support/files.ts";
import { consoleToken, startTestApp } from "../../support/app/test-app.ts";

it.each([
  ["type", "doc"],
  ["a[b]", ""],
  ["type[kind]", '{"kind":"doc"}'],
  ["type[]", '["doc"]'],
  ["toString", ""],
  ["__proto__", ""],
])("an upload may have a field named %s beside its file", async (name, type) => {
  await using app = await startTestApp();
  const form = new FormData();
  form.append(name, "doc");
  form.append("[]", new File([pngBytes(1, 1)], "a.png"));
  const sent = await fetch(`${app.url}/api/uploads`, { method: "POST", body: form, headers: await app.loggedIn() });
  expect(sent.status).toBe(201);
  const authorized = { Authorization: `Bearer ${consoleToken}` };
  const listed = await fetch(`${app.url}/console/api/uploads`, { headers: authorized });
  expect(await listed.json()).toMatchObject({ uploads: [{ file_name: "a.png", type }] });
});

it.each([
  ["type[1000000]"],
  ["a[1000000000]"],
  ["type[b][30000000]"],
  // The second makes an object of the list, item by item.
  ["a[1000000]", "a[b]"],
])("a field that asks for a place far down a list, %s, is refused, and nothing of the file stays", async (...names) => {
  await using app = await startTestApp();
  const form = new FormData();
  form.append("[]", new File([pngBytes(1, 1)], "a.png"));
  for (const name of names) form.append(name, "doc");
  const sent = await fetch(`${app.url}/api/uploads`, { method: "POST", body: form, headers: await app.loggedIn() });
  expect([sent.status, await sent.json()]).toMatchObject([
    400,
    { success: false, err_msg: expect.stringMatching(/has a place in a list/) as string },
  ]);
  const left = readdirSync(join(app.folder, "uploads"), { recursive: true, withFileTypes: true });
  expect(left.filter((entry) => entry.isFile()).map((entry) => entry.name)).toEqual([]);
});
