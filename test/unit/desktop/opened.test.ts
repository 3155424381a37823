import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { createOpening, modelFileOf, openedBy, withoutOpened } from "../../../electron/desktop/opened.ts";
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

  it("is found behind a switch, which takes no value", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "a.gguf");
    writeFileSync(file, "GGUF");
    for (const flag of ["--https", "--no-update-backup", "--app-port=0", "--help"]) {
      expect(openedBy([flag, file]), flag).toBe(file);
      expect(withoutOpened([flag, file])).toEqual([flag]);
    }
    for (const flag of ["--model", "--Data_Dir"]) expect(openedBy([flag, file]), flag).toBeUndefined();
  });
});

describe("what is opened with Hearth", () => {
  function scene(first?: string) {
    const shown: unknown[] = [];
    const window = { open: (page = "front") => void shown.push(page), drop: (path: string) => void shown.push(path) };
    let isThere = false;
    const opening = createOpening(first, () => (isThere ? window : undefined));
    const start = () => {
      isThere = true;
      opening.showWaiting();
    };
    return { shown, opening, start };
  }

  it("while the program starts is shown once there is a window, the last of all", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "a.gguf");
    writeFileSync(file, "GGUF");
    const { shown, opening, start } = scene("hearth://payments");
    opening.show(file);
    opening.show();
    start();
    expect(shown).toEqual(["front", file]);
    opening.show("hearth://settings");
    expect(shown).toEqual(["front", file, "/settings"]);
  });

  it("brings a window to the front that a second start asks for, and leaves one alone that nobody asks for", () => {
    const [asked, minimised] = [scene(), scene()];
    asked.opening.show();
    asked.start();
    minimised.start();
    expect([asked.shown, minimised.shown]).toEqual([["front"], []]);
  });
});
