import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { modelFileOf, openedBy, withoutOpened } from "../../../electron/desktop/opened.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

describe("a model file that is opened with Hearth", () => {
  it("is one that is there, as a path or as an address, and no other file", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "mein Modell 模型.GGUF");
    writeFileSync(file, "GGUF");
    mkdirSync(join(folder.path, "folder.gguf"));
    writeFileSync(join(folder.path, "notes.txt"), "");
    expect([file, pathToFileURL(file).href].map(modelFileOf)).toEqual([file, file]);
    const others = ["notes.txt", "folder.gguf", "absent.gguf"].map((name) => join(folder.path, name));
    others.push("file://elsewhere.example/a.gguf", "--model=a.gguf", "");
    expect(others.map(modelFileOf)).toEqual(Array(others.length).fill(undefined));
  });

  it("is found among the arguments, where it is not the value of a setting", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "a.gguf");
    writeFileSync(file, "GGUF");
    expect(openedBy(["--app-port", "0", file])).toBe(file);
    expect(withoutOpened(["--app-port", "0", file])).toEqual(["--app-port", "0"]);
    expect(openedBy(["--model", file])).toBeUndefined();
    expect(withoutOpened(["--model", file, join(folder.path, "absent.gguf")])).toHaveLength(3);
  });
});
