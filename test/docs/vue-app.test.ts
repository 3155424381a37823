/** The component that the guide for web apps shows for Vue, compiled and served by Vite, in a browser. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createServer } from "vite";
import { expect, it } from "vitest";
import { openChromium } from "../support/console/chromium.ts";
import { freePort } from "../support/process/free-port.ts";
import { launchHearth } from "../support/process/launch.ts";
import { runCommand } from "../support/process/run-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { readBlocks, root } from "./read-blocks.ts";

interface Compiler {
  parse(source: string): { descriptor: object; errors: readonly unknown[] };
  compileScript(descriptor: object, options: { id: string; inlineTemplate: boolean }): { content: string };
}

const packages = join(root, "test/clients/node_modules");
const component = readBlocks("docs/guides/web-app.md").find(({ language }) => language === "vue")?.text ?? "";

/** A page that shows the component. */
function writeApp(project: string): void {
  const compiler = createRequire(join(packages, "vue/package.json"))("vue/compiler-sfc") as Compiler;
  const { descriptor, errors } = compiler.parse(component);
  expect(errors).toEqual([]);
  const { content } = compiler.compileScript(descriptor, { id: "app", inlineTemplate: true });
  const main = 'import { createApp } from "vue";\nimport App from "./App.js";\ncreateApp(App).mount("#app");\n';
  mkdirSync(join(project, "src"), { recursive: true });
  mkdirSync(join(project, "node_modules"));
  symlinkSync(join(packages, "vue"), join(project, "node_modules/vue"));
  writeFileSync(join(project, "src/App.js"), content);
  writeFileSync(join(project, "src/main.js"), main);
  writeFileSync(
    join(project, "index.html"),
    '<!doctype html><link rel="icon" href="data:," /><div id="app"></div><script type="module" src="/src/main.js"></script>',
  );
}

it("the Vue component lists articles from Vite's own port", async () => {
  using folder = temporaryFolder();
  const project = join(folder.path, "app");
  writeApp(project);
  await using hearth = launchHearth();
  const { app } = await hearth.ready();
  const types = await runCommand(["types", "--url", app, "--out", "src/hearth-client.js"], {}, project);
  const token = await runCommand(["login", "ada", "--data-dir", hearth.dataDir], {}, project);
  expect([types.code, token.code]).toEqual([0, 0]);
  writeFileSync(join(project, ".env.local"), `VITE_HEARTH_URL=${app}\nVITE_HEARTH_TOKEN=${token.stdout}`);
  const headers = { Authorization: `Bearer ${token.stdout.trim()}` };
  const body = new URLSearchParams({ title: "From Vue" });
  expect((await fetch(`${app}/api/articles`, { method: "POST", headers, body })).status).toBe(201);

  await using world = new AsyncDisposableStack();
  const port = await freePort();
  const vite = await createServer({ root: project, logLevel: "error", server: { port, strictPort: true } });
  world.defer(() => vite.close());
  await vite.listen();
  const { page, complaints } = world.use(await openChromium({}));
  await page.goto(`http://localhost:${String(port)}`);
  await page.getByRole("listitem").filter({ hasText: "From Vue" }).waitFor();
  expect(complaints).toEqual([]);
});
