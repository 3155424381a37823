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
