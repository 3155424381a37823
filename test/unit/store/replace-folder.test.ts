import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { endCutOffReplacements, replaceFolder } from "../../../server/store/backup/replace-folder.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const root = temporaryFolder();
let parent: string;
let path: string;
let count = 0;
const versionIn = (folder: string) => readFileSync(join(folder, "version"), "utf8");
const write = (version: string) => async (to: string) => {
  mkdirSync(to);
  writeFileSync(join(to, "version"), version);
  return version;
};
beforeEach(async () => {
  parent = join(root.path, String(++count));
  path = join(parent, "state");
  mkdirSync(parent);
  await replaceFolder(path, write("old"));
});
afterAll(() => root[Symbol.dispose]());

describe("a folder that is replaced", () => {
  it("takes the place of the one of its name, and leaves nothing else", async () => {
    expect(await replaceFolder(path, write("new"))).toBe("new");
    expect([versionIn(path), readdirSync(parent)]).toEqual(["new", ["state"]]);
  });

  it("keeps its old content when writing fails", async () => {
    const failing = async (to: string) => {
      await write("torn")(to);
      throw new Error("disk full");
    };
    await expect(replaceFolder(path, failing)).rejects.toThrow("disk full");
    expect([versionIn(path), readdirSync(parent)]).toEqual(["old", ["state"]]);
  });

  it("is complete after a crash at any step, old or new", async () => {
    const wasCutOff = join(parent, ".new-state");
    await write("new")(wasCutOff);
    await endCutOffReplacements(parent);
    expect([versionIn(path), readdirSync(parent)]).toEqual(["old", ["state"]]);

    await write("new")(wasCutOff);
    renameSync(path, join(parent, ".old-state"));
    await endCutOffReplacements(parent);
    expect([versionIn(path), readdirSync(parent)]).toEqual(["old", ["state"]]);

    await write("older")(join(parent, ".old-state"));
    await endCutOffReplacements(parent);
    expect([versionIn(path), readdirSync(parent)]).toEqual(["old", ["state"]]);
  });

  it("needs no existing parent for the cleanup", async () => {
    await endCutOffReplacements(join(parent, "none"));
    expect(existsSync(join(parent, "none"))).toBe(false);
  });
});
