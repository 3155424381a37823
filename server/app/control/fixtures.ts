/**
 * Named states of the server, each a folder with `about.json` (a summary), `data.json` (the rows), `provider.json` (the
 * simulator's state) and `blobs` (uploaded contents by hash). The rows contain secrets, so only their owner may read
 * the folder.
 */
import { message } from "../../contract/messages/message.ts";
import { createWriteStream } from "node:fs";
import { mkdir, open, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { z } from "zod";
import { createTurns } from "../../process/create-turns.ts";
import { fixtureSchema, type Fixture, type FixturePart } from "../../contract/console/control/control.ts";
import { decodeText } from "../../file-system/decode-text.ts";
import { isNowhere } from "../../file-system/is-missing.ts";
import { HttpError, refuse } from "../../http/http-error.ts";
import type { BlobStore } from "../../store/blobs/blob-store.ts";
import type { PartTables, StateRow } from "../../store/state-part.ts";
import { blobsIn, dataSchema, replacesOwned, unusable, type TablePart } from "./fixture-data.ts";
import { countIn, type SimulatorState } from "./provider-state.ts";
import { endCutOffReplacements, replaceFolder } from "../../store/backup/replace-folder.ts";
import { TableMismatch, type TableContent, type TableState } from "../../store/table-state.ts";

type Hold = { readonly sha256s: readonly string[]; readonly release: () => Promise<boolean> };

/** Access to the contents of uploads. */
export interface FixtureContents {
  hold(sha256s: readonly string[]): Promise<Hold>;
  named(hold: Hold): Promise<void>;
  /** Removes those contents that nothing refers to any more. */
  removeUnnamed(sha256s: readonly string[]): Promise<void>;
}

interface Deps {
  readonly folder: string;
  readonly tables: TableState;
  /** Referenced parts come first. */
  readonly parts: Readonly<Record<TablePart, PartTables>>;
  readonly blobs: BlobStore;
  readonly simulator: SimulatorState;
  readonly contents: FixtureContents;
  /** Unix time in ms. */
  readonly now: () => number;
}

export class Fixtures {
  readonly folder: string;
  readonly #deps: Deps;
  /** Parts in the order in which their tables refer to each other. */
  readonly #order: TablePart[];
  readonly #ready: Promise<void>;
  /** A save may replace the fixture that a load is reading. */
  readonly #inTurn = createTurns();

  constructor(deps: Deps) {
    this.#deps = deps;
    this.folder = deps.folder;
    this.#order = Object.keys(deps.parts) as TablePart[];
    this.#ready = endCutOffReplacements(deps.folder).catch(() => undefined); // a failed cleanup changes nothing else
    void this.#inTurn(() => this.#ready);
  }

  async list(): Promise<Fixture[]> {
    await this.#ready;
    const entries = await readdir(this.folder, { withFileTypes: true }).catch(() => []);
    const names = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith(".")).map(({ name }) => name);
    const found = await Promise.allSettled(names.sort().map((name) => this.get(name)));
    return found.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  }

  /** @throws HttpError 404 */
  async get(name: string): Promise<Fixture> {
    await this.#ready;
    const text = await this.#readPart(name, "about.json");
    if (text === undefined) throw refuse("fixture.none", { name });
    try {
      return fixtureSchema.parse({ ...(JSON.parse(text) as object), name }); // the folder may have been renamed
    } catch (error) {
      throw unusable(name, message("fixture.about"), error);
    }
  }

  save(name: string, wanted: readonly FixturePart[]): Promise<Fixture> {
    return this.#inTurn(async () => {
      await mkdir(this.folder, { recursive: true });
      return replaceFolder(this.#place(name), (to) => this.#write(name, wanted, to));
    });
  }

  /** @throws HttpError 404, or 409 for one that is damaged or of another version */
  load(name: string): Promise<Fixture> {
    const { tables, contents: uploads, parts } = this.#deps;
    return this.#inTurn(async () => {
      const fixture = await this.get(name);
      const { contents, needed } = await this.#contentsOf(fixture);
      const before = await tables.read(contents.map(({ content }) => content.table));
      const hold = await uploads.hold(needed);
      try {
        await this.#restoreBlobs(name, needed);
        await this.#writeRows(
          fixture,
          contents.map(({ content }) => content),
        );
      } catch (error) {
        await hold.release();
        throw error;
      }
      await uploads.named(hold);
      await uploads.removeUnnamed(contents.flatMap(({ part }) => blobsIn(parts[part], before)));
      return fixture;
    });
  }

  /** @throws HttpError 404 */
  remove(name: string): Promise<void> {
    return this.#inTurn(async () => {
      await this.get(name).catch((error: unknown) => {
        if (error instanceof HttpError && error.status === 404) throw error; // a damaged one can be removed
      });
      await rm(this.#place(name), { recursive: true, force: true });
    });
  }

  #place(name: string, ...within: string[]) {
    return join(this.folder, name, ...within);
  }

  /** Undefined for a missing file, which is the fixture's fault. Other errors are the server's. */
  async #readPart(name: string, part: string): Promise<string | undefined> {
    const bytes = await readFile(this.#place(name, part)).catch((error: unknown) => {
      if (!isNowhere(error)) throw error;
      return undefined;
    });
    return bytes && decodeText(bytes, { lenient: true });
  }

  async #write(name: string, wanted: readonly FixturePart[], to: string): Promise<Fixture> {
    const { tables, parts, blobs, simulator, now } = this.#deps;
    await mkdir(join(to, "blobs"), { recursive: true, mode: 0o700 });
    const chosen = this.#order.filter((part) => wanted.includes(part));
    const read = await tables.read(chosen.flatMap((part) => parts[part].tables));
    const saved = chosen.map((part) => [part, read.filter(({ table }) => parts[part].tables.includes(table))] as const);
    const lost: string[] = [];
    for (const sha256 of new Set(saved.flatMap(([part, contents]) => blobsIn(parts[part], contents)))) {
      await using content = await blobs.open(sha256);
      if (content) await pipeline(content.read(), createWriteStream(join(to, "blobs", sha256), { mode: 0o600 }));
      else lost.push(sha256);
    }
    const provider = wanted.includes("provider") ? await simulator.save() : undefined;
    if (provider) await writeFile(join(to, "provider.json"), JSON.stringify(provider), { mode: 0o600 });
    const fixture: Fixture = {
      name,
      saved_at: new Date(now()).toISOString(),
      parts: [...chosen, ...(provider ? (["provider"] as const) : [])],
      rows: {
        ...Object.fromEntries(saved.map(([part, contents]) => [part, contents[0]?.rows.length ?? 0])),
        ...(provider && { provider: countIn(provider) }),
      },
    };
    const data: z.input<typeof dataSchema> = { format: "hearth-fixture/1", lost, parts: Object.fromEntries(saved) };
    await writeFile(join(to, "data.json"), JSON.stringify(data), { mode: 0o600 });
    await writeFile(join(to, "about.json"), `${JSON.stringify(fixture, undefined, 2)}\n`, { mode: 0o600 });
    return fixture;
  }

  /** The rows of a fixture, adapted to the current time, and the contents that they need. @throws HttpError 409 */
  async #contentsOf(fixture: Fixture) {
    const { now, parts } = this.#deps;
    const { name } = fixture;
    const text = (await this.#readPart(name, "data.json")) ?? "";
    let data: z.output<typeof dataSchema>;
    try {
      data = dataSchema.parse(JSON.parse(text));
    } catch (error) {
      throw unusable(name, message("fixture.data"), error);
    }
    const age = now() - Date.parse(fixture.saved_at);
    const contents = this.#order.flatMap((part) => {
      const { tables: known, aged = (row: StateRow) => row } = parts[part];
      return (data.parts[part] ?? []).map((content) => {
        if (!known.includes(content.table))
          throw unusable(name, message("fixture.table", { part, table: content.table }));
        return { part, content: { ...content, rows: content.rows.map((row) => aged(row, age)) } };
      });
    });
    const named = new Set(contents.flatMap(({ part, content }) => blobsIn(parts[part], [content])));
    return { contents, needed: [...named].filter((sha256) => !data.lost.includes(sha256)) };
  }

  async #restoreBlobs(name: string, wanted: readonly string[]): Promise<void> {
    const { blobs } = this.#deps;
    const stored = new Set(await blobs.list());
    for (const sha256 of wanted) {
      if (stored.has(sha256)) continue;
      if (!/^[0-9a-f]{64}$/.test(sha256)) throw unusable(name, message("fixture.hash"));
      const damaged = (cause?: unknown) => unusable(name, message("fixture.content", { sha256 }), cause);
      await using file = await open(this.#place(name, "blobs", sha256)).catch((error: unknown) => {
        throw isNowhere(error) ? damaged(error) : error;
      });
      await blobs.put(file.createReadStream(), (_head, blob) => {
        if (blob.sha256 !== sha256) throw damaged();
      });
    }
  }

  /** Loads the state of a fixture into the simulator. Returns a function that reverts it. @throws HttpError 409, 503 */
  async #loadSimulator({ name, parts }: Fixture): Promise<() => Promise<void>> {
    const { simulator } = this.#deps;
    if (!parts.includes("provider")) return async () => undefined;
    const text = (await this.#readPart(name, "provider.json")) ?? "";
    let state: unknown;
    try {
      state = JSON.parse(text);
    } catch (error) {
      throw unusable(name, message("fixture.provider"), error);
    }
    const before = await simulator.save();
    try {
      await simulator.load(state);
    } catch (error) {
      if (error instanceof HttpError && error.status < 500)
        throw unusable(
          name,
          message("fixture.refused", { problem: error.message.replace(/[.] Nothing was changed[.]$/, "") }),
          error,
        );
      throw error;
    }
    return () => simulator.load(before);
  }

  /**
   * The rows come last, with the event: their contents are stored before, and the simulator can be reverted. After a
   * crash, the next start or the next load cleans up what was stored without rows.
   * @throws HttpError 409, 503
   */
  async #writeRows(fixture: Fixture, contents: readonly TableContent[]): Promise<void> {
    const { tables, parts } = this.#deps;
    const { name, parts: loaded } = fixture;
    const revertSimulator = await this.#loadSimulator(fixture);
    try {
      await tables.write(
        contents,
        { idsGoOn: replacesOwned(loaded) ? [] : parts.users.tables },
        { type: "fixture.loaded", source: "/app/control", subject: name, data: { name, parts: loaded } },
      );
    } catch (error) {
      await revertSimulator();
      if (error instanceof TableMismatch)
        throw unusable(name, message("fixture.version", { problem: error.message }), error);
      throw error;
    }
  }
}
