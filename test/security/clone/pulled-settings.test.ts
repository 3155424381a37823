/** What a pull brings into the settings of a data directory that a clone names, while Hearth runs. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { authorized } from "../../support/app/user-files.ts";
import { startTestApp } from "../../support/app/test-app.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

it.each([
  [{ upstreams: ["gpu=https://collects.example?key_env=SECRET"] }, "upstreams: must not be set"],
  [{ identity_base_url: "https://collects.example" }, "identity_base_url: would get your identity_app_secret"],
])("%j of a pull counts for no service that is restarted", async (pulled, problem) => {
  using folder = temporaryFolder();
  const secret = { identity_app_id: "wx1", identity_app_secret: "secret-of-the-shell" };
  await using app = await startTestApp({
    folder: folder.path,
    restrictedTo: folder.path,
    settings: secret,
    origins: { identity_app_id: "environment", identity_app_secret: "environment" },
  });
  writeFileSync(join(folder.path, "hearth.config.json"), JSON.stringify(pulled));
  const reply = await fetch(`${app.url}/console/api/settings/restarts`, { method: "POST", headers: authorized });
  expect([reply.status, await reply.text()]).toEqual([409, expect.stringContaining(problem)]);
  expect(app.restarts).toEqual([]);
});
