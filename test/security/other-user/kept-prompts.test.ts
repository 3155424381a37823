/** Kept prompts: others of this machine cannot read them, and a state that is not this installation's own is never loaded. */
import {
  appendFileSync,
  copyFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { promptCacheRoot } from "../../../server/process/prompt-cache-files.ts";
import { beginning, createPromptCacheScene, restoredOf, statesIn } from "../../support/model/prompt-cache-scene.ts";
import { startRunner } from "../../support/model/runner-process.ts";

const scene = createPromptCacheScene();
const { other, loadOnce } = scene;
afterAll(() => scene[Symbol.dispose]());
const ask = [{ prompt: beginning("red"), num_predict: 4 }];

describe("the folder of kept prompts", () => {
  it.skipIf(process.platform === "win32")("is for its owner alone", async () => {
    await using runner = await startRunner();
    await loadOnce(runner, [{ prompt: beginning("red") }]);
    const root = promptCacheRoot(runner.dataDir);
    const modes = ["", ...readdirSync(root, { recursive: true, encoding: "utf8" })].map((name) => {
      const stats = statSync(join(root, name));
      return `${stats.isDirectory() ? "folder" : "file"} ${(stats.mode & 0o777).toString(8)}`;
    });
    expect(modes.sort()).toEqual(["file 600", "file 600", "file 600", "folder 700", "folder 700"]);
  });
});

describe("a kept prompt is not used", () => {
  const damages: Record<string, (file: string) => void> = {
    "with a flipped byte": (file) => {
      const bytes = readFileSync(file);
      bytes[20_000] = (bytes[20_000] ?? 0) ^ 1;
      writeFileSync(file, bytes);
    },
    "with a flipped token": (file) => {
      const bytes = readFileSync(file);
      bytes[12 + 4 * 590] = (bytes[12 + 4 * 590] ?? 0) ^ 1;
      writeFileSync(file, bytes);
    },
    "with a flipped byte of its code": (file) => {
      const bytes = readFileSync(file);
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
      writeFileSync(file, bytes);
    },
    "that was cut off": (file) => truncateSync(file, 30_000),
    "that is empty": (file) => truncateSync(file, 0),
    "with bytes behind it": (file) => appendFileSync(file, "more"),
    "that is no state": (file) => writeFileSync(file, "x".repeat(50_000)),
  };
  it.each(Object.entries(damages))("%s, which is deleted", async (_name, damage) => {
    await using runner = await startRunner();
    const [before] = await loadOnce(runner, ask);
    const [state] = statesIn(runner);
    damage(state?.path ?? "");
    const [answer] = await loadOnce(runner, ask);
    expect([answer?.done.restored_tokens, answer?.text]).toEqual([undefined, before?.text]);
    // The same conversation is kept anew.
    expect(restoredOf(await loadOnce(runner, ask))).toBeGreaterThan(500);
  });

  it("of another installation, another model or another engine, whatever its name", async () => {
    await using runner = await startRunner();
    await using foreign = await startRunner();
    await loadOnce(runner, ask);
    await loadOnce(foreign, ask);
    const [[mine], [theirs]] = [statesIn(runner), statesIn(foreign)];
    copyFileSync(theirs?.path ?? "", mine?.path ?? "");
    expect(restoredOf(await loadOnce(runner, ask))).toBe(0);
    await loadOnce(runner, ask, other);
    const [one, two] = ["one", "two"].map((_, index) => statesIn(runner)[index]?.path ?? "");
    copyFileSync(one ?? "", two ?? "");
    const results = [restoredOf(await loadOnce(runner, ask)), restoredOf(await loadOnce(runner, ask, other))];
    expect(results.filter((tokens) => tokens > 0)).toHaveLength(1);
    const [state] = statesIn(runner);
    renameSync(state?.path ?? "", (state?.path ?? "").replace(/1-[\d.]+-/, "1-3.0.0-"));
    await runner.stop();
    await runner.start();
    expect(
      readdirSync(promptCacheRoot(runner.dataDir), { recursive: true, encoding: "utf8" }).filter((name) =>
        name.includes("1-3.0.0-"),
      ),
    ).toEqual([]);
  });
});
