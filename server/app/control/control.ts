/** The control API: clock, faults, resets and fixtures. */
import type { StatePartName } from "../../contract/console/control/control.ts";
import type { AdjustableClock } from "../../time/adjustable-clock.ts";
import type { BlobStore } from "../../store/blobs/blob-store.ts";
import type { TableState } from "../../store/table-state.ts";
import { controlConsoleRoutes } from "./control-console-routes.ts";
import { createFaults } from "./faults.ts";
import type { PartTables } from "../../store/state-part.ts";
import { blobsIn, replacesOwned, type TablePart } from "./fixture-data.ts";
import { Fixtures, type FixtureContents } from "./fixtures.ts";
import { createSimulatorState } from "./provider-state.ts";

export interface ControlDeps {
  readonly clock: AdjustableClock;
  readonly tables: TableState;
  readonly parts: Readonly<Record<TablePart, PartTables>>;
  readonly blobs: BlobStore;
  readonly contents: FixtureContents;
  readonly requests: { readonly clear: () => Promise<number> };
  readonly bans: { list(): string[]; remove(ip: string): Promise<boolean> };
  /** Inserts the seeds into empty collections. */
  readonly refill: () => Promise<void>;
  /** Deletes the kept states of prompts, and returns their number. */
  readonly forgetPrompts: () => number;
  /** Folder of the fixtures. */
  readonly fixturesFolder: string;
  /** Base URL of the provider simulator. */
  readonly providerUrl: () => string;
}

/** A part in the database of this server. */
type OwnPart = TablePart | "events";

export function createControl(deps: ControlDeps) {
  const { clock, tables, parts, blobs, contents } = deps;
  const faults = createFaults();
  const simulator = createSimulatorState(deps.providerUrl);
  const isOwn = (part: StatePartName): part is OwnPart => part === "events" || part in parts;
  const tablesOf = (part: OwnPart): readonly string[] => (part === "events" ? ["events"] : parts[part].tables);

  async function clearBans(): Promise<number> {
    const banned = deps.bans.list();
    for (const ip of banned) await deps.bans.remove(ip);
    return banned.length;
  }

  const elsewhere: Record<Exclude<StatePartName, OwnPart>, () => Promise<number> | number> = {
    requests: deps.requests.clear,
    provider: simulator.clear,
    prompt_cache: deps.forgetPrompts,
    bans: clearBans,
    faults: faults.clear,
    clock() {
      const { offsetMs } = clock;
      clock.offsetMs = 0;
      return offsetMs;
    },
  };

  /**
   * Empties the chosen parts of the database in one transaction with the event, and counts the rows of the first table
   * of each. Files and seeds follow. After a crash, the next start sets aside contents without an upload and fills
   * collections.
   */
  async function clearOwn(own: readonly OwnPart[], chosen: readonly StatePartName[]): Promise<[OwnPart, number][]> {
    const uploads = own.includes("uploads") ? await tables.read(parts.uploads.tables) : [];
    const named = [...own.flatMap(tablesOf), ...(own.includes("users") ? parts.sessions.tables : [])];
    // Followers ask for the events after the last id they saw.
    const idsGoOn = ["events", ...(replacesOwned(own) ? [] : parts.users.tables)];
    const counts = await tables.clear(
      [...new Set(named)],
      { idsGoOn },
      { type: "state.reset", source: "/app/control", data: { parts: [...chosen] } },
    );
    await contents.removeUnnamed(blobsIn(parts.uploads, uploads));
    if (own.includes("records")) await deps.refill();
    return own.map((part) => [part, counts.get(tablesOf(part)[0] ?? "") ?? 0]);
  }

  /** State outside the database has no transaction. It goes first, so that the event comes when all is done. */
  async function reset(chosen: readonly StatePartName[]): Promise<Partial<Record<StatePartName, number>>> {
    const removed: Partial<Record<StatePartName, number>> = {};
    for (const part of chosen) if (!isOwn(part)) removed[part] = await elsewhere[part]();
    return { ...removed, ...Object.fromEntries(await clearOwn(chosen.filter(isOwn), chosen)) };
  }

  const shared = { tables, parts, blobs, simulator, contents };
  const fixtures = new Fixtures({ ...shared, folder: deps.fixturesFolder, now: clock.now });

  return {
    /** Injects the faults. */
    inject: faults.inject,
    consoleRoutes: controlConsoleRoutes({ clock, faults, reset, fixtures }),
  };
}
