/** Every command and code block of the pages works as it is written, or says why it is not tried. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { resolveSettings } from "../../server/process/settings/read-settings.ts";
import { plainEnvironment } from "../support/process/launch.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { fromCheckout } from "./installed-commands.ts";
import {
  englishBlocks,
  isChinese,
  isRun,
  marked,
  pages,
  pagesThatRun,
  placeOf,
  readBlocks,
  root,
  type Block,
} from "./read-blocks.ts";
import { testCommandsOf } from "./test-commands.ts";

const englishOf = (page: string) => page.replace("/zh-CN/", "/").replace(".zh-CN.md", ".md");

describe("from the checkout", () => testCommandsOf(pagesThatRun, () => fromCheckout));

const unindented = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .join("\n");

describe("the other code blocks of the pages", () => {
  it("are all run, read, compared with what is run, or marked with the reason why not", () => {
    const isTested = ({ language, mark }: Block) =>
      mark?.kind === "from" || ["sh", "json", "text"].includes(language) || (mark?.kind === "not run" && mark.value);
    expect(englishBlocks.filter((block) => !isTested(block)).map(placeOf)).toEqual([]);
    expect(marked("not run").filter(({ mark }) => mark?.value === "")).toEqual([]);
  });

  it("are JSON where they say so", () => {
    for (const block of englishBlocks.filter(({ language }) => language === "json"))
      expect(() => JSON.parse(block.text) as unknown, placeOf(block)).not.toThrow();
  });

  it("stand in the files that they are taken from", () => {
    for (const block of marked("from")) {
      const file = readFileSync(join(root, block.mark?.value ?? ""), "utf8");
      expect(unindented(file), placeOf(block)).toContain(unindented(block.text));
    }
  });

  it("are valid settings where they are a configuration file", () => {
    for (const block of marked("settings")) {
      using folder = temporaryFolder();
      writeFileSync(join(folder.path, "hearth.config.json"), block.text);
      const read = () => resolveSettings({ data_dir: join(folder.path, "data") }, {}, folder.path);
      expect(read, placeOf(block)).not.toThrow();
    }
  });
});

describe("the Chinese pages", () => {
  const shared = ({ language, text, mark }: Block) => ({ language, text, mark });

  it("exist for the README, every guide, every example and the table of fidelity", () => {
    const translated = pages.filter(
      (page) =>
        page === "README.md" || /^docs\/(guides\/[^/]+|examples\/[^/]+\/README|reference\/fidelity)\.md$/.test(page),
    );
    expect(pages.filter(isChinese).map(englishOf).sort()).toEqual(translated);
  });

  it.each(pages.filter(isChinese))("%s has the very code blocks of the English page", (page) => {
    expect(readBlocks(page).map(shared)).toEqual(readBlocks(englishOf(page)).map(shared));
  });
});

it.each(pages.filter((page) => page.startsWith("docs/guides/")))("%s shows a command in its first section", (page) => {
  const text = readFileSync(join(root, page), "utf8");
  expect(text.split("\n## ").slice(0, 2).join("")).toContain("```sh");
});

describe("README.md", () => {
  it("has a line that gives a checkout with the two commands", () => {
    using folder = temporaryFolder();
    const { text = "" } = readBlocks("README.md").find((block) => block.text.startsWith("git clone")) ?? {};
    const command = text.replace("ADDRESS", root);
    execFileSync("bash", ["-ec", command], { cwd: folder.path, env: plainEnvironment(), stdio: "pipe" });
    const manifest = readFileSync(join(folder.path, "hearth/package.json"), "utf8");
    expect(JSON.parse(manifest)).toMatchObject({ scripts: { start: expect.any(String), test: expect.any(String) } });
  });

  it.each([
    ["README.md", "README.zh-CN.md", "no change to your SDK"],
    ["README.zh-CN.md", "README.md", "不用改 SDK"],
  ])("%s answers in the order of a newcomer's questions, and is short", (page, other, purpose) => {
    const text = readFileSync(join(root, page), "utf8");
    expect(text.split("\n")[0]).toContain(`](${other})`);
    const pictures = ["phone-light", "order-light"];
    const commands = [
      "\ngit clone ",
      "\nnpm start\nnpm test\n",
      "TOKEN=$(hearth login ada)",
      '"trade_state":"SUCCESS"',
    ];
    const recipes = readBlocks(page).filter(isRun).slice(1);
    const parts = [purpose, ...pictures, ...commands, ...recipes.map((recipe) => recipe.text), "1,895"];
    const places = parts.map((part) => text.indexOf(part));
    expect(places).toEqual(places.toSorted((one, next) => one - next));
    expect(places).not.toContain(-1);
    expect(recipes).toHaveLength(6);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(8192);
  });
});
