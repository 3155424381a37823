/** Every command and code block of the pages works as it is written, or says why it is not tried. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { resolveSettings } from "../../server/process/settings/read-settings.ts";
import { freePort } from "../support/process/free-port.ts";
import { launchHearth } from "../support/process/launch.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { pages, placeOf, readBlocks, root, type Block } from "./read-blocks.ts";
import { runPage, type Place } from "./run-page.ts";

const isChinese = (page: string) => /(^|[/.])zh-CN[/.]/.test(page);
const englishOf = (page: string) => page.replace("/zh-CN/", "/").replace(".zh-CN.md", ".md");
const blocks = pages.filter((page) => !isChinese(page)).flatMap(readBlocks);
const marked = (kind: string) => blocks.filter(({ mark }) => mark?.kind === kind);

const isRun = ({ language, mark }: Block) =>
  language === "sh" && (mark === undefined || mark.kind === "in the background");
const pagesThatRun = [...new Set(blocks.filter(isRun).map(({ page }) => page))];

const consoleToken = "a-token-of-the-test-of-the-pages-0123456789";
const data = temporaryFolder();
let hearth: ReturnType<typeof launchHearth>;
let place: Place;

beforeAll(async () => {
  for (const { text, mark } of marked("file")) {
    const file = join(data.path, mark?.value ?? "");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  hearth = launchHearth({ dataDir: data.path, env: { HEARTH_CONSOLE_TOKEN: consoleToken } });
  const { app, provider, model } = await hearth.ready();
  const [appHost, providerHost, modelHost] = [app, provider, model ?? ""].map((url) => new URL(url).host);
  place = {
    addresses: {
      "127.0.0.1:3080": appHost ?? "",
      "127.0.0.1:3081": providerHost ?? "",
      "127.0.0.1:11434": modelHost ?? "",
      // The reader's own backend.
      "127.0.0.1:8080": `127.0.0.1:${String(await freePort())}`,
    },
    env: {
      HEARTH_DATA_DIR: data.path,
      HEARTH_CONSOLE_TOKEN: consoleToken,
      HEARTH_APP_PORT: new URL(app).port,
      HEARTH_PROVIDER_PORT: new URL(provider).port,
      HEARTH_MODEL_PORT: new URL(model ?? "").port,
    },
  };
});
afterAll(async () => {
  await hearth[Symbol.asyncDispose]();
  data[Symbol.dispose]();
});

/** Whether each line stands in the output, in this order; `…` stands for anything. */
function prints(output: string, expected: string): boolean {
  const lines = output.split("\n");
  return expected.split("\n").every((line) => {
    const pieces = line.trim().split("…");
    const fits = (one: string) => {
      let from = 0;
      return pieces.every((piece) => {
        const at = one.indexOf(piece, from);
        from = at + piece.length;
        return at >= 0;
      });
    };
    const at = lines.findIndex(fits);
    lines.splice(0, at + 1);
    return at >= 0;
  });
}

describe("the commands of a page", () => {
  it.each(pagesThatRun)("%s: every command works, and prints what the page shows", async (page) => {
    using folder = temporaryFolder();
    const onPage = blocks.filter((block) => block.page === page);
    const outputs = await runPage(onPage.filter(isRun), place, folder.path);
    for (const [at, { language, mark, text }] of onPage.entries()) {
      if (language !== "text" || mark !== undefined) continue;
      const before = onPage.slice(0, at).findLast(isRun);
      const output = before && outputs.get(placeOf(before));
      expect({ shown: text, printed: output, fits: prints(output ?? "", text) }).toMatchObject({ fits: true });
    }
  });

  it("leave no fault armed and the clock at the real time", async () => {
    const headers = { Authorization: `Bearer ${consoleToken}` };
    const { app, provider } = await hearth.ready();
    const ask = async (url: string) => (await fetch(url, { headers })).json();
    expect(await ask(`${provider}/sim/faults`)).toEqual({ faults: [] });
    expect(await ask(`${app}/console/api/faults`)).toEqual({ faults: [] });
    expect(await ask(`${app}/console/api/clock`)).toMatchObject({ offset_ms: 0 });
  });
});

const unindented = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .join("\n");

describe("the other code blocks of the pages", () => {
  it("are all run, read, compared with what is run, or marked with the reason why not", () => {
    const isTested = ({ language, mark }: Block) =>
      mark?.kind === "from" || ["sh", "json", "text"].includes(language) || (mark?.kind === "not run" && mark.value);
    expect(blocks.filter((block) => !isTested(block)).map(placeOf)).toEqual([]);
    expect(marked("not run").filter(({ mark }) => mark?.value === "")).toEqual([]);
  });

  it("are JSON where they say so", () => {
    for (const block of blocks.filter(({ language }) => language === "json"))
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

describe("README.md", () => {
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
      "TOKEN=$(hearth token ada)",
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
