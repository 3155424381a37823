/** The note that decides whether CI trains a starter model. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { digestOfFolder } from "../../../build/training-note.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const root = join(import.meta.dirname, "../../..");

describe("the digest of the training's files", () => {
  it("changes with a file's name and content, and not with what Python compiles", () => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, "train"));
    const put = (name: string, content: string) => writeFileSync(join(folder.path, name), content);
    const digests: string[] = [];
    for (const [name, content] of [
      ["train/model.py", "one"],
      ["train/model.pyc", "compiled"],
      ["train/model.py", "two"],
      ["facts.jsonl", "two"],
    ] as const) {
      put(name, content);
      digests.push(digestOfFolder(folder.path));
    }
    expect(digests[1]).toBe(digests[0]);
    expect(new Set(digests).size).toBe(3);
  });

  it("is what .ci/run calculates", () => {
    const [line = ""] = /^ *trained=.*$/m.exec(readFileSync(join(root, ".ci/run"), "utf8")) ?? [];
    const script = `${line.trim()}; printf %s "\${trained%% *}"`;
    const calculated = execFileSync("bash", ["-c", script], { cwd: root, encoding: "utf8" });
    expect(calculated).toBe(digestOfFolder(join(root, "build/starter-model")));
  });
});
