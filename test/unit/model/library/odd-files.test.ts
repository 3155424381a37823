import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { engineArchitectures } from "../../../../server/model/models/library/gguf/engine-architectures.ts";
import { readGgufHeader } from "../../../../server/model/models/library/gguf/gguf-header.ts";
import { otherKinds } from "../../../../server/model/models/library/gguf/other-kind.ts";
import { damagedFiles, engineFiles, trialFiles, otherFiles, unrunnableFiles } from "../../../support/model/odd-gguf.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeAll(() => {
  folder = temporaryFolder();
  mkdirSync(folder.path, { recursive: true });
});
afterAll(() => folder[Symbol.dispose]());
const read = (bytes: Buffer) => {
  const path = join(folder.path, "odd.gguf");
  writeFileSync(path, bytes);
  return readGgufHeader(path);
};

describe("the header of an odd file", () => {
  it.each(damagedFiles)("is refused with its reason: %s", async (_name, bytes, reason) => {
    await expect(read(bytes)).rejects.toThrow(reason);
  });

  it.each(otherFiles)("says what a file is that is no model: %s", async (_name, bytes, reason) => {
    const { otherKind } = await read(bytes);
    expect(otherKind && otherKinds[otherKind]).toContain(reason);
  });

  it.each(unrunnableFiles)("says why the engine cannot run the model: %s", async (_name, bytes, reason) => {
    expect((await read(bytes)).fault).toContain(reason);
  });

  it.each([...engineFiles, ...trialFiles])("has no fault where only the engine finds one: %s", async (_name, bytes) => {
    expect((await read(bytes)).fault).toBeUndefined();
  });
});

it("the header of any architecture that the engine's package names may be run, but for those that it refuses", () => {
  const types = fileURLToPath(import.meta.resolve("node-llama-cpp")).replace(
    "index.js",
    "gguf/types/GgufMetadataTypes.d.ts",
  );
  const [named = ""] = /enum GgufArchitectureType \{[^}]*\}/.exec(readFileSync(types, "utf8")) ?? [];
  const names = [...named.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name);
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter((name) => !engineArchitectures.has(name))).toEqual(["gptj", "clip", "(unknown)"]);
});
