/** Every command of the pages works as it is written, and prints what the page shows. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePort } from "../support/process/free-port.ts";
import { launchHearth, type Launched } from "../support/process/launch.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import type { HearthCommand } from "./installed-commands.ts";
import { englishBlocks, isRun, marked, placeOf } from "./read-blocks.ts";
import { runPage, type Place } from "./run-page.ts";

const consoleToken = "a-token-of-the-test-of-the-pages-0123456789";

/** Starts Hearth by a reader's command, with the files of the pages in its data directory. */
async function startHearth({ node, cli }: HearthCommand, dataDir: string): Promise<Launched> {
  for (const { text, mark } of marked("file")) {
    const file = join(dataDir, mark?.value ?? "");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return launchHearth({ command: [node, cli, "serve"], dataDir, env: { HEARTH_CONSOLE_TOKEN: consoleToken } });
}

/** The addresses and variables by which commands reach this Hearth in place of one on the default ports. */
async function placeBeside(hearth: Launched, command: HearthCommand): Promise<Place> {
  const { app, provider, model } = await hearth.ready();
  const [appHost, providerHost, modelHost] = [app, provider, model ?? ""].map((url) => new URL(url).host);
  return {
    command,
    addresses: {
      "127.0.0.1:3080": appHost ?? "",
      "127.0.0.1:3081": providerHost ?? "",
      "127.0.0.1:11434": modelHost ?? "",
      // The reader's own backend.
      "127.0.0.1:8080": `127.0.0.1:${String(await freePort())}`,
    },
    env: {
      HEARTH_DATA_DIR: hearth.dataDir,
      HEARTH_APP_PORT: new URL(app).port,
      HEARTH_PROVIDER_PORT: new URL(provider).port,
      HEARTH_MODEL_PORT: new URL(model ?? "").port,
    },
  };
}

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

/** Runs the pages' commands in a folder that is not the checkout, one page after another, beside one Hearth. */
export function testCommandsOf(pages: readonly string[], install: () => Promise<HearthCommand> | HearthCommand): void {
  const data = temporaryFolder();
  let hearth: Launched;
  let place: Place;
  beforeAll(async () => {
    const command = await install();
    hearth = await startHearth(command, data.path);
    place = await placeBeside(hearth, command);
  });
  afterAll(async () => {
    await hearth[Symbol.asyncDispose]();
    data[Symbol.dispose]();
  });

  it.each(pages)("%s: every command works, and prints what the page shows", async (page) => {
    using folder = temporaryFolder();
    const onPage = englishBlocks.filter((block) => block.page === page);
    const outputs = await runPage(onPage.filter(isRun), place, folder.path);
    for (const [at, { language, mark, text }] of onPage.entries()) {
      if (language !== "text" || mark !== undefined) continue;
      const before = onPage.slice(0, at).findLast(isRun);
      const output = before && outputs.get(placeOf(before));
      expect({ shown: text, printed: output, fits: prints(output ?? "", text) }).toMatchObject({ fits: true });
    }
  });

  it("the commands leave no fault armed and the clock at the real time", async () => {
    const headers = { Authorization: `Bearer ${consoleToken}` };
    const { app, provider } = await hearth.ready();
    const ask = async (url: string) => (await fetch(url, { headers })).json();
    expect(await ask(`${provider}/sim/faults`)).toEqual({ faults: [] });
    expect(await ask(`${app}/console/api/faults`)).toEqual({ faults: [] });
    expect(await ask(`${app}/console/api/clock`)).toMatchObject({ offset_ms: 0 });
  });
}
