/** `hearth pull`, `list`, `rm` and `create` against a running model service. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { encodedText } from "../../support/encoded-text.ts";
import { plainEnvironment } from "../../support/process/launch.ts";
import { listen } from "../../support/process/listen.ts";
import { layers } from "../../support/model/model-registry.ts";
import { startPullScene, type PullScene } from "../../support/model/pull-scene.ts";
import { randomGgufBytes } from "../../support/model/random-gguf.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const gguf = randomGgufBytes();
const main = pathToFileURL(join(import.meta.dirname, "../../../server/cli/main.ts")).href;
const script = `import(${JSON.stringify(main)}).then(({ main }) => main(process.argv.slice(1)))`;

let scene: PullScene;
let folder: ReturnType<typeof temporaryFolder>;
beforeEach(async () => {
  scene = await startPullScene();
  folder = temporaryFolder();
});
afterEach(async () => {
  await scene[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

function start(...args: string[]) {
  const env = {
    ...plainEnvironment(),
    OLLAMA_HOST: scene.service.url,
    HEARTH_DATA_DIR: folder.path,
    HOME: folder.path,
  };
  const child = spawn(process.execPath, ["-e", script, "--", ...args], { cwd: folder.path, env });
  const ended = Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]);
  return { child, result: ended.then(([[code], out, err]) => ({ code: code as number | null, out, err })) };
}
const hearth = (...args: string[]) => start(...args).result;

describe("hearth", () => {
  it("pulls, lists and removes models", async () => {
    const { name } = scene.registry.publish("m", [layers.model(gguf)]);
    const pulled = await hearth("pull", name, "--insecure");
    expect(pulled).toMatchObject({ code: 0, err: "" });
    expect(pulled.out).toMatch(/^pulling manifest\npulling [0-9a-f]{12}\n[^]*verifying sha256 digest\n[^]*success\n$/);
    expect((await hearth("list")).out).toMatch(new RegExp(`^NAME .*\\n${name} +[0-9a-f]{12} +0\\.7 MB +\\d{4}-`));
    expect(await hearth("rm", name)).toMatchObject({ code: 0, out: `deleted ${name}\n` });
    expect(await scene.names()).toEqual(["hearth-starter:latest"]);
  });

  it("makes a model by a Modelfile with a file beside it", async () => {
    writeFileSync(join(folder.path, "weights.gguf"), gguf);
    writeFileSync(
      join(folder.path, "My.modelfile"),
      "FROM ./weights.gguf\nSYSTEM Be brief.\nPARAMETER top_k 7\nMESSAGE user hi",
    );
    expect(await hearth("create", "mine", "-f", "My.modelfile")).toMatchObject({ code: 0, err: "" });
    const shown = await (await scene.service.post("/api/show", { model: "mine" })).json();
    expect(shown).toMatchObject({
      system: "Be brief.",
      parameters: expect.stringMatching(/top_k +7/),
      messages: [{ role: "user", content: "hi" }],
    });
    for (const encoding of ["utf-8", "utf-16le", "utf-16be"] as const) {
      const source = "FROM ./weights.gguf\r\nSYSTEM Grüße 图.\r\n";
      writeFileSync(join(folder.path, "PowerShell.modelfile"), encodedText(source, encoding));
      expect(await hearth("create", "marked", "-f", "PowerShell.modelfile")).toMatchObject({ code: 0, err: "" });
      expect(await (await scene.service.post("/api/show", { model: "marked" })).json()).toMatchObject({
        system: "Grüße 图.",
      });
    }
    writeFileSync(join(folder.path, "Home.modelfile"), "FROM ~/weights.gguf");
    expect(await hearth("create", "third", "-f", "Home.modelfile")).toMatchObject({ code: 0, err: "" });
    writeFileSync(join(folder.path, "Modelfile"), "FROM mine\nLICENSE free");
    expect(await hearth("create", "second")).toMatchObject({ code: 0 });
    const second = await (await scene.service.post("/api/show", { model: "second" })).json();
    expect(second).toMatchObject({ system: "Be brief.", license: "free" });
  });

  it.each([
    ["Ctrl-C", ["SIGINT"]],
    ["a request to end", ["SIGTERM"]],
    ["Ctrl-C that a program before it passes on", ["SIGINT", "SIGTERM"]],
  ] as const)("stops a pull at %s, and says that the next one goes on", async (_, signals) => {
    const { name, digests } = scene.registry.publish("m", [layers.model(gguf)]);
    const asked = Promise.withResolvers<void>();
    const cut = Promise.withResolvers<void>();
    scene.registry.misbehave(async ({ at, url, headers }, res) => {
      if (at !== "cdn" || !url.endsWith(digests[0] ?? "") || headers.range === "bytes=0-0") return false;
      asked.resolve();
      await once(res, "close");
      cut.resolve();
      return true;
    });
    const { child, result } = start("pull", name, "--insecure");
    await asked.promise;
    for (const signal of signals) child.kill(signal);
    expect(await result).toMatchObject({
      code: 130,
      err: expect.stringContaining(`continue with "hearth pull ${name}"`),
    });
    await cut.promise;
  });

  it.each([
    [["pull"], 2, "pull needs the name of a model"],
    [["rm"], 2, "rm needs the name of a model"],
    [["pull", "a", "b"], 2, "unexpected argument b"],
    [["pull", "--fast", "a"], 2, "--fast"],
    [["rm", "nobody"], 1, "model 'nobody' not found"],
    [["create", "x"], 2, "the Modelfile cannot be read"],
    [["pull", "a//b"], 1, "invalid model name"],
    [["list", "--model-port", "1"], 1, "no model service responds at http://127.0.0.1:1"],
  ])("%j ends with %d and says why", async (args, code, message) => {
    const ended = await hearth(...args);
    expect(ended).toMatchObject({ code, err: expect.stringContaining(message) });
    expect(ended.err).not.toContain("    at ");
  });

  it.each([[["list"]], [["pull", "a"]]])("%j says that something else answers there", async (args) => {
    await using page = await listen((_, res) => res.end("<!doctype html>"));
    const { code, err } = await hearth(...args, "--model-port", new URL(page.url).port);
    expect([code, err]).toEqual([1, expect.stringMatching(/^hearth: the reply to .* is not one of Ollama's API.*\n$/)]);
  });

  it("explains its commands about models", async () => {
    expect((await hearth("pull", "--help")).out).toContain("hearth pull [flags] MODEL");
  });
});
