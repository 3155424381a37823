/** Kept prompts of a whole Hearth: used after its end, and gone with the model, a reset and an uninstall. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listKeptFiles, promptCacheRoot } from "../../../server/process/prompt-cache-files.ts";
import { consoleOf } from "../../support/console/console-scene.ts";
import { layers } from "../../support/model/model-registry.ts";
import { randomGgufBytes } from "../../support/model/random-gguf.ts";
import { putModel } from "../../support/model/stored-model.ts";
import { launchHearth } from "../../support/process/launch.ts";
import { runCommand } from "../../support/process/run-command.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const folder = temporaryFolder();
const dataDir = join(folder.path, "data");
const prompt = Array.from({ length: 500 }, (_, at) => "etaoin"[(at * at + at) % 6]).join(" ");

/** Writes two models, the second with the weights of the first and a system message. */
function putModels(): void {
  mkdirSync(join(dataDir, "models"), { recursive: true });
  const weights = layers.model(randomGgufBytes({ name: "Kept", trainContext: 4096 }));
  putModel(join(dataDir, "models"), "registry.ollama.ai/library/kept/latest", [weights]);
  putModel(join(dataDir, "models"), "registry.ollama.ai/library/told/latest", [weights, layers.system("Be brief.")]);
}
beforeAll(putModels);
afterAll(() => folder[Symbol.dispose]());

interface Answer {
  readonly response: string;
  readonly prompt_eval_count: number;
}

async function generate(url: string, model = "kept"): Promise<Answer> {
  const options = { temperature: 0, num_predict: 8, num_ctx: 2048 };
  const body = JSON.stringify({ model, prompt, raw: true, stream: false, options });
  const reply = await fetch(`${url}/api/generate`, { method: "POST", body });
  expect(reply.status).toBe(200);
  return (await reply.json()) as Answer;
}

async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\d+)$`, "m").exec(text)?.[1] ?? "0");
}
const kept = () => listKeptFiles(promptCacheRoot(dataDir));

describe("a kept prompt", () => {
  it("is used after the end of Hearth, is measured by the doctor and the metrics, and is in no backup", async () => {
    let before: Answer;
    {
      await using hearth = launchHearth({ dataDir });
      before = await generate((await hearth.ready()).model ?? "");
    }
    expect(kept()).toHaveLength(1);
    const doctor = await runCommand(["doctor", "--quick", "--data-dir", dataDir, "--app-port", "0"]);
    expect(doctor.stdout).toMatch(/ok +prompt cache +1\d\d[.]\d KB of 536[.]9 MB used/);
    const file = join(folder.path, "backup.tar");
    expect(await runCommand(["backup", file, "--data-dir", dataDir])).toMatchObject({ code: 0 });
    expect(execFileSync("tar", ["-tf", file], { encoding: "utf8" })).not.toContain("prompt-cache");
    await using hearth = launchHearth({ dataDir, flags: ["--metrics"] });
    const url = (await hearth.ready()).model ?? "";
    const after = await generate(url);
    expect(after).toMatchObject({ response: before.response, prompt_eval_count: before.prompt_eval_count });
    expect(await metric(url, "hearth_model_prompt_restored_tokens_total")).toBe(384);
    expect(await metric(url, "hearth_model_prompt_cache_bytes")).toBe(kept()[0]?.bytes);
  });

  it("goes with its model, and does not come back from memory", async () => {
    {
      await using hearth = launchHearth({ dataDir });
      const url = (await hearth.ready()).model ?? "";
      await generate(url);
      expect(kept()).toHaveLength(1);
      const body = JSON.stringify({ model: "told" });
      expect((await fetch(`${url}/api/delete`, { method: "DELETE", body })).status).toBe(200);
      expect(kept()).toEqual([]);
      await generate(url);
    }
    expect(kept()).toEqual([]);
  });

  it("goes by a reset", async () => {
    {
      await using hearth = launchHearth({ dataDir });
      await generate((await hearth.ready()).model ?? "");
    }
    expect(kept()).toHaveLength(1);
    {
      await using hearth = launchHearth({ dataDir });
      const addresses = await hearth.ready();
      await generate(addresses.model ?? "");
      const reply = await consoleOf(addresses).send("POST", "/resets", {});
      expect(((await reply.json()) as { removed: object }).removed).toMatchObject({ prompt_cache: 1 });
    }
    expect(kept()).toEqual([]);
  });

  it("goes by an uninstall, also where the data stays", async () => {
    {
      await using hearth = launchHearth({ dataDir });
      await generate((await hearth.ready()).model ?? "");
    }
    expect(kept()).toHaveLength(1);
    const env = { HOME: folder.path, XDG_DATA_HOME: folder.path, XDG_CACHE_HOME: folder.path };
    const { code, stdout } = await runCommand(["uninstall", "--keep-data", "--data-dir", dataDir], env);
    expect([code, stdout]).toEqual([0, expect.stringContaining("removed the prompt cache")]);
    expect([existsSync(promptCacheRoot(dataDir)), existsSync(join(dataDir, "hearth.db"))]).toEqual([false, true]);
  });
});
