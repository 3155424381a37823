/** The example of a React app, as `npm run dev` serves it, in a browser: another origin than Hearth's. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createServer } from "vite";
import { openChromium } from "../support/console/chromium.ts";
import { freePort } from "../support/process/free-port.ts";
import { launchHearth } from "../support/process/launch.ts";
import { runCommand } from "../support/process/run-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { copyExample } from "./copy-example.ts";

it("the React app lists and adds articles from Vite's own port, and shows a refusal", async () => {
  using folder = temporaryFolder();
  const project = join(folder.path, "app");
  copyExample("docs/examples/react-app", project);
  await using hearth = launchHearth();
  const { app } = await hearth.ready();
  const flags = ["--data-dir", hearth.dataDir];
  const types = await runCommand(["types", "--url", app, "--out", "src/hearth-client.js"], {}, project);
  const token = await runCommand(["login", "ada", ...flags], {}, project);
  expect([types.code, token.code]).toEqual([0, 0]);
  writeFileSync(join(project, ".env.local"), `VITE_HEARTH_URL=${app}\nVITE_HEARTH_TOKEN=${token.stdout}`);

  await using world = new AsyncDisposableStack();
  const port = await freePort();
  const vite = await createServer({ root: project, logLevel: "error", server: { port, strictPort: true } });
  world.defer(() => vite.close());
  await vite.listen();
  const { page, complaints } = world.use(await openChromium({}));
  await page.goto(`http://localhost:${String(port)}`);
  await page.getByRole("textbox", { name: "Title" }).fill("From React");
  await page.getByRole("button", { name: "Add" }).click();
  await page.getByRole("listitem").filter({ hasText: "From React" }).waitFor();
  expect(complaints).toEqual([]);

  await page.getByRole("button", { name: "Add" }).click();
  await page
    .getByRole("alert")
    .filter({ hasText: /^400: / })
    .waitFor();
});
