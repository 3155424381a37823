/** The package `hearthkit` as npm packs it: what somebody has who installs it, and no checkout. */
import { execFile } from "node:child_process";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { enginePackage, engineVersion } from "../../../server/contract/model/gpu-engine.ts";
import type * as Kit from "../../../server/kit/start-hearth.ts";
import { executablePath as chromium } from "../../support/console/chromium.ts";
import { launchHearth, plainEnvironment } from "../../support/process/launch.ts";
import { addPackages, copyExample, installPackage, installedMb } from "../../support/process/npm-package.ts";
import { offline } from "../../support/process/offline.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const run = promisify(execFile);
type Failed = Record<"stdout" | "stderr", string> & { code: number };
/** The first test of a worker waits for the start of its instance, on a machine as busy as it may be. */
const patient = "--testTimeout=120000";
const patientPlaywright = "--timeout=120000";

describe("the package hearthkit", () => {
  const folder = temporaryFolder();
  let project: string;
  let takenMb: number;
  beforeAll(async () => {
    project = await installPackage(folder.path);
    takenMb = installedMb(join(project, "node_modules"));
    addPackages(project, "vitest", "@playwright/test", "@types/node");
  });
  afterAll(() => folder[Symbol.dispose]());

  const inPackage = (file: string) => join(project, "node_modules/hearthkit", file);
  const kit = async () => (await import(pathToFileURL(inPackage("dist/kit.js")).href)) as typeof Kit;
  const env = () => ({
    ...plainEnvironment(),
    NO_COLOR: "1",
    // Where hearth init notes the data directory.
    XDG_DATA_HOME: folder.path,
    // Playwright keeps what it has compiled; else among the system's temporary files.
    PWTEST_CACHE_DIR: join(folder.path, "playwright-cache"),
    ...(chromium !== undefined && { CHROMIUM: chromium }),
  });
  /** Runs a program of the project, and answers how it ended. */
  async function inProject([command = "", ...args]: readonly string[]) {
    return run(command, args, { cwd: project, env: env(), maxBuffer: 1e8 }).then(
      ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
      ({ code, stdout, stderr }: Failed) => ({ code, output: stdout + stderr }),
    );
  }
  const runTool = (cli: string, ...args: string[]) => inProject([process.execPath, `node_modules/${cli}`, ...args]);

  it("takes at most 30 MB with all it needs, without source maps, runs nothing when it is installed, and brings licences and types", () => {
    expect(takenMb).toBeLessThanOrEqual(30);
    const manifest = JSON.parse(readFileSync(inPackage("package.json"), "utf8"));
    expect([manifest.scripts, manifest.private, manifest.engines]).toEqual([undefined, undefined, { node: ">=24.15" }]);
    expect(manifest.dependencies).toBeUndefined();
    const engine = enginePackage(process.platform, process.arch);
    expect(manifest.optionalDependencies[engine]).toBe(engineVersion);
    expect(globSync("**/*.map", { cwd: inPackage("dist") })).toEqual([]);
    expect(readFileSync(inPackage("LICENSE"), "utf8")).toContain("MIT");
    const licences = readFileSync(inPackage("third-party-licences.txt"), "utf8");
    for (const name of ["express", "react", "swagger-ui-dist", "node-llama-cpp"])
      expect(licences).toMatch(new RegExp(`^${name} \\d`, "m"));
  });

  it("starts every service by npx hearthkit, and says in one line what adds the engine and thumbnails", async () => {
    await using hearth = launchHearth({
      command: ["npx", "--no-install", "hearthkit"],
      flags: ["--headless"],
      cwd: project,
    });
    const { app, provider, model, console: address } = await hearth.ready();
    for (const url of [`${app}/healthz`, `${provider}/healthz`, address, `${app}/swagger/swagger-ui-bundle.js`])
      expect((await fetch(url)).status, url).toBe(200);
    const chat = () =>
      fetch(`${model}/api/chat`, {
        method: "POST",
        body: JSON.stringify({ model: "hearth-starter", messages: [{ role: "user", content: "Hi" }], stream: false }),
      });
    const engine = enginePackage(process.platform, process.arch);
    expect(await (await chat()).json()).toEqual({ error: expect.stringContaining(`npm install ${engine}@`) });
    const { startHearth } = await kit();
    await using instance = await startHearth({ model: false });
    const ada = await instance.phone("ada");
    const picture = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
    const { body } = await ada.upload("dot.gif", picture, "avatar");
    expect(body.success).toBe(true);
    expect(await ada.request("GET", `/api/uploads/${body.id}/thumbnail`)).toMatchObject({
      status: 501,
      body: { Message: expect.stringContaining("npm install sharp@0.35") },
    });
  });

  it("chats once the engine's one package has been added", async () => {
    addPackages(project, enginePackage(process.platform, process.arch));
    const { startHearth } = await kit();
    await using hearth = await startHearth();
    const reply = await fetch(`${hearth.urls.model}/api/generate`, {
      method: "POST",
      body: JSON.stringify({ model: "hearth-starter", prompt: "Hi", stream: false, options: { num_predict: 4 } }),
    });
    expect(await reply.json()).toMatchObject({ done: true, response: expect.stringMatching(/./) });
  });

  it("says in one line that a Node is too old", async () => {
    const old = 'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"20.20.2"})';
    const line = "Hearth needs Node 24.15 or newer; this is 20.20.2.";
    expect(await inProject([process.execPath, "--import", old, inPackage("dist/cli.js")])).toEqual({
      code: 1,
      output: `${line}\n`,
    });
    const program = 'import("hearthkit").then((kit) => kit.startHearth()).catch((error) => console.log(error.message))';
    expect((await inProject([process.execPath, "--import", old, "-e", program])).output).toBe(`${line}\n`);
  });

  it("has types that a strict project takes without zod, and that refuse what does not exist", async () => {
    writeFileSync(
      join(project, "typed.ts"),
      `import { startHearth, type Hearth } from "hearthkit";
       import { test } from "hearthkit/vitest";
       import { test as inBrowser } from "hearthkit/playwright";
       import { createWx, type Wx } from "hearthkit/wx";
       await using hearth: Hearth = await startHearth({ model: false, payment_version: "v3", users: { ada: { nick_name: "Ada" } } });
       const phone = await hearth.phone("ada");
       const reply = await phone.request<{ data: { title: string }[] }>("GET", "/api/articles");
       const titles: string[] = reply.body.data.map(({ title }) => title);
       const { status = 0 } = await hearth.waitForRequest({ method: "GET", status: "2xx", timeout_ms: 5 });
       await hearth.inject({ path: "/api/**", status: 500 + status + titles.length });
       await hearth.inject({ kind: "notification_lost" });
       const wx: Wx = createWx(await hearth.phone("bob", { login: false }), { domains: { request: ["https://shop.example"] } });
       const { code }: { code: string } = await wx.login();
       wx.request<{ id: number }>({ url: hearth.urls.app, data: { code }, success: ({ data }) => data.id.toFixed() });
       // @ts-expect-error a call with a callback returns no promise
       await wx.login({ fail: () => undefined }).finally();
       // @ts-expect-error no such prompt
       phone.prompts.deny("fone");
       test("typed", async ({ hearth }) => void (await hearth.phone("ada")));
       inBrowser("typed", async ({ hearth, page }) => void (await page.goto(hearth.urls.console)));
       // @ts-expect-error no such setting
       await startHearth({ app_prot: 1 });
       // @ts-expect-error no such version
       await startHearth({ payment_version: "v4" });
       // @ts-expect-error no such status
       await hearth.waitForRequest({ status: true });
       // @ts-expect-error no such fault
       await hearth.inject({ kind: "nothing" });\n`,
    );
    const options = [
      "--strict",
      "--noEmit",
      "--module",
      "nodenext",
      "--target",
      "es2024",
      "--lib",
      "es2024,esnext.disposable,dom",
    ];
    const tsc = join(import.meta.dirname, "../../../node_modules/typescript/lib/tsc.js");
    const { output } = await inProject([
      process.execPath,
      tsc,
      ...options,
      "--skipLibCheck",
      "--types",
      "node",
      "typed.ts",
    ]);
    expect(output).toBe("");
    // The package's own declarations are whole: a type that cannot be found would be any.
    const imported = globSync("dist/kit/**/*.d.ts", { cwd: inPackage("") }).flatMap((file) =>
      [...readFileSync(inPackage(file), "utf8").matchAll(/ from "([^"]+)"/g)].map(([, name = ""]) =>
        name.startsWith(".") ? join(dirname(file), name.replace(/\.js$/, ".d.ts")) : name,
      ),
    );
    const missing = imported.filter((name) => name.includes("/kit/") && !existsSync(inPackage(name)));
    const outside = imported.filter(
      (name) => name === "zod" || (name.startsWith("dist/") && !name.startsWith("dist/kit/")),
    );
    expect([missing, outside]).toEqual([[], []]);
  });

  it("runs the example of Vitest green in an empty folder without network", async () => {
    copyExample("hearthkit-vitest", project);
    const vitest = [process.execPath, "node_modules/vitest/vitest.mjs", "run", "checkout.test.js", patient];
    const { code, output } = await inProject([...offline, ...vitest]);
    expect(output).toContain("4 passed");
    expect(code).toBe(0);
  });

  it("runs the example of a mini-program, unmodified, green without network", async () => {
    copyExample("hearthkit-wx", project);
    const vitest = [process.execPath, "node_modules/vitest/vitest.mjs", "run", "shop.test.js", patient];
    const { code, output } = await inProject([...offline, ...vitest]);
    expect(output).toContain("4 passed");
    expect(code).toBe(0);
  });

  it("runs the test that hearthkit init writes green without network", async () => {
    expect(await inProject(["npx", "--no-install", "hearthkit", "init", "begun"])).toMatchObject({ code: 0 });
    const vitest = [process.execPath, "node_modules/vitest/vitest.mjs", "run", "begun/test/hearth.test.js"];
    const { code, output } = await inProject([...offline, ...vitest]);
    expect(output).toContain("3 passed");
    expect(code).toBe(0);
  });

  it("starts another instance in Vitest for a file with other options, also without isolation", async () => {
    const names = ["books", "cups"];
    for (const name of names)
      writeFileSync(
        join(project, `options-${name}.test.js`),
        `import { expect } from "vitest";
         import { test } from "hearthkit/vitest";
         const schema = { type: "object", properties: { title: { type: "string" } } };
         test.override({ hearthOptions: { model: false, collections: { ${name}: schema } } });
         test("${name}", async ({ hearth }) => {
           const ada = await hearth.phone("ada");
           expect((await ada.request("GET", "/api/${name}")).status).toBe(200);
         });\n`,
      );
    const files = names.map((name) => `options-${name}.test.js`);
    const vitest = [process.execPath, "node_modules/vitest/vitest.mjs", "run", ...files, patient];
    const { code, output } = await inProject([...vitest, "--no-isolate", "--maxWorkers=1"]);
    expect(output).toContain("2 passed");
    expect(code).toBe(0);
  });

  it("attaches the requests of a failed test as HAR, in Vitest and in Playwright", async () => {
    const failing = (runner: string, file: string) =>
      writeFileSync(
        join(project, file),
        `import { test } from "hearthkit/${runner}";
         ${runner === "vitest" ? "test.override({ hearthOptions: { model: false } });" : "test.use({ hearthOptions: { model: false } });"}
         test("fails", async ({ hearth }) => {
           await (await hearth.phone("ada")).request("GET", "/api/articles");
           throw new Error("on purpose");
         });\n`,
      );
    failing("vitest", "failing.test.js");
    failing("playwright", "failing.spec.js");
    const [vitest, playwright] = await Promise.all([
      runTool("vitest/vitest.mjs", "run", "failing.test.js", patient, "--attachmentsDir=attachments"),
      runTool("@playwright/test/cli.js", "test", "failing.spec.js", "--output=failed", patientPlaywright),
    ]);
    for (const one of [vitest, playwright])
      expect(one).toEqual({ code: 1, output: expect.stringContaining("on purpose") });
    const attached = globSync(["attachments/*.har", "failed/*/requests.har"], { cwd: project });
    expect(attached).toHaveLength(2);
    for (const file of attached) {
      const { log } = JSON.parse(readFileSync(join(project, file), "utf8"));
      const urls = log.entries.map(({ request }: { request: { url: string } }) => request.url);
      expect(urls).toContainEqual(expect.stringContaining("/api/articles"));
    }
  });

  it.runIf(chromium !== undefined)("runs the example of Playwright green", async () => {
    copyExample("hearthkit-playwright", project);
    // The page's assertions have 5 s of their own.
    const times = "timeout: 120_000, expect: { timeout: 120_000 }";
    const patientConfig = `import config from "./playwright.config.js";\nexport default { ...config, ${times} };`;
    writeFileSync(join(project, "patient.config.js"), patientConfig);
    const { code, output } = await runTool(
      "@playwright/test/cli.js",
      "test",
      "notes.spec.js",
      "--config=patient.config.js",
    );
    expect(output).toContain("2 passed");
    expect(code).toBe(0);
  });
});
