/** The state that `hearth exec` imports and exports: documents, and a fixture for the rest. */
import { existsSync } from "node:fs";
import { cp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { FixturePart } from "../../contract/console/control/control.ts";
import type { DataDocument } from "../../contract/console/data/data-transfer.ts";
import { decodeText } from "../../file-system/decode-text.ts";
import { replaceFileSync } from "../../file-system/replace-file.ts";
import { printError } from "../../process/terminal/print-text.ts";
import { consoleAccess } from "../../supervisor/console-access.ts";
import type { ReadyFileContent } from "../../supervisor/ready-file.ts";
import { RunError } from "../../supervisor/run-error.ts";

/** A part of the state. It exists if its `file` is in the folder. */
interface StatePart {
  readonly file: string;
  load(from: string): Promise<void>;
  save(to: string): Promise<void>;
}

/** A name that no project uses for a folder of its own. */
const fixtureFolder = "hearth-fixture";
/** The owners that data.json names, and other parts that it lacks. */
const inFixture: readonly FixturePart[] = ["users", "sessions", "uploads", "file_events", "orders"];

/** The files by which the parts are found. */
export const stateFiles = ["provider.json", join(fixtureFolder, "about.json"), "data.json"] as const;

async function call(method: string, url: string, token: string, body?: string): Promise<string> {
  const response = await fetch(url, {
    method,
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  if (!response.ok)
    throw new RunError(`${method} ${new URL(url).pathname} returned ${String(response.status)}: ${text}`);
  return text;
}

/** In the order in which they are loaded. */
function statePartsOf({ console, provider }: ReadyFileContent, dataDir: string): readonly StatePart[] {
  const { origin, token } = consoleAccess(console);
  const [ofProvider, ofFixture, ofData] = stateFiles;
  const fixture = `${origin}/console/api/fixtures/${fixtureFolder}`;
  const ownFixture = join(dataDir, "fixtures", fixtureFolder);
  const simulator = `${provider}/sim/state`;
  const data = `${origin}/console/api/data`;
  return [
    {
      file: ofProvider,
      load: async (from) => void (await call("PUT", simulator, "", decodeText(await readFile(join(from, ofProvider))))),
      save: async (to) => replaceFileSync(join(to, ofProvider), await call("GET", simulator, "")),
    },
    {
      file: ofFixture,
      async load(from) {
        await cp(join(from, fixtureFolder), ownFixture, { recursive: true });
        await call("POST", `${fixture}/loads`, token);
      },
      async save(to) {
        await call("PUT", fixture, token, JSON.stringify({ parts: inFixture }));
        await rm(join(to, fixtureFolder), { recursive: true, force: true });
        await cp(ownFixture, join(to, fixtureFolder), { recursive: true });
      },
    },
    {
      file: ofData,
      async load(from) {
        const text = decodeText(await readFile(join(from, ofData)));
        await call("PUT", data, token, text);
        const { uploads = [] } = JSON.parse(text) as DataDocument;
        if (uploads.length > 0 && !existsSync(join(from, ofFixture)))
          printError(`--import: ${ofData} has no contents of uploads: ${String(uploads.length)} are left out`);
      },
      save: async (to) => replaceFileSync(join(to, ofData), await call("GET", `${data}?secrets=include`, token)),
    },
  ];
}

/** @throws Error when a part is not valid */
export async function importState(from: string, addresses: ReadyFileContent, dataDir: string): Promise<void> {
  for (const part of statePartsOf(addresses, dataDir)) if (existsSync(join(from, part.file))) await part.load(from);
}

/** Writes the parts, each on its own. */
export const exportsOf = (to: string, addresses: ReadyFileContent, dataDir: string): (() => Promise<void>)[] =>
  statePartsOf(addresses, dataDir).map((part) => () => part.save(to));
