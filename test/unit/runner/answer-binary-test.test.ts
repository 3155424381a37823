import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  answerBinaryTest,
  rememberedBinaries,
  type PassedBinaries,
} from "../../../server/runner/answer-binary-test.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A test's process as the engine has it; says in a file that it has really run. */
const script = (log: string, passes: boolean) => `
  require("node:fs").appendFileSync(${JSON.stringify(log)}, "run ");
  process.on("message", ({ type }) => {
    if (type === "exit") process.exit(0);
    if (type === "test" && !${String(passes)}) process.exit(1);
    process.send({ type: type === "start" ? "loaded" : "done" });
  });
  process.send({ type: "ready" });
`;

function scene(passes = true) {
  const folder = temporaryFolder();
  const path = (name: string) => join(folder.path, name);
  writeFileSync(path("testBindingBinary.js"), script(path("log"), passes));
  writeFileSync(path("engine.node"), "binary");
  return {
    remembered: rememberedBinaries(path("passed")),
    /** Touches the binary, as an update of the engine does. */
    update: () => utimesSync(path("engine.node"), 1, 1),
    hasRun: () => existsSync(path("log")),
    /** Goes through the test as the engine does; whether the binary has passed. */
    async test(
      passed: PassedBinaries,
      { gpu = undefined as string | undefined, isPackaged = false } = {},
    ): Promise<boolean> {
      const takeBack = answerBinaryTest(passed, isPackaged);
      const child = fork(path("testBindingBinary.js"), [], { stdio: "ignore", execArgv: [] });
      let isDone = false;
      child.on("message", ({ type }: { type: string }) => {
        const what = { bindingBinaryPath: path("engine.node"), gpu: gpu ?? false };
        if (type === "ready") child.send({ type: "start", ...what });
        if (type === "loaded") child.send({ type: "test", ...what });
        if (type === "done") isDone = child.send({ type: "exit" });
      });
      const [code] = (await once(child, "exit")) as [number];
      takeBack();
      return isDone && code === 0;
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

it("an engine binary that has passed its test is not tested again until it changes", async () => {
  using engine = scene();
  const runs: boolean[] = [];
  const watched: PassedBinaries = {
    has: (message) => {
      const known = engine.remembered.has(message);
      runs.push(!known);
      return known;
    },
    add: (message) => engine.remembered.add(message),
  };
  expect(await engine.test(watched)).toBe(true);
  expect(await engine.test(watched)).toBe(true);
  engine.update();
  expect(await engine.test(watched)).toBe(true);
  expect(runs).toEqual([true, false, true]);
});

it("an engine binary that has failed, or one for a GPU, is tested each time", async () => {
  using broken = scene(false);
  expect(await broken.test(broken.remembered)).toBe(false);
  expect(await broken.test(broken.remembered)).toBe(false);
  using gpu = scene();
  expect(await gpu.test(gpu.remembered, { gpu: "cuda" })).toBe(true);
  expect(gpu.remembered.has({ type: "start", bindingBinaryPath: "engine.node", gpu: "cuda" })).toBe(false);
});

it("an engine binary in a packaged program is not tested, since it could not be", async () => {
  using packaged = scene(false);
  expect(await packaged.test(packaged.remembered, { isPackaged: true })).toBe(true);
  expect(packaged.hasRun()).toBe(false);
});
