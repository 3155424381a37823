/** The control API, put together: clock, faults, resets and fixtures. */
import type { StatePart } from "../../contract/control.ts";
import type { EventBus } from "../../events/event-bus.ts";
import type { Route } from "../../http/route.ts";
import type { AdjustableClock } from "../../process/adjustable-clock.ts";
import type { BlobStore } from "../../store/blob-store.ts";
import type { TableState } from "../../store/table-state.ts";
import { clockRoutes } from "./clock-routes.ts";
import { faultsRoutes } from "./faults-routes.ts";
import { createFaults, type Faults } from "./faults.ts";
import { fixturesRoutes } from "./fixtures-routes.ts";
import { createFixtures, type PartTables, type TablePart } from "./fixtures.ts";
import { createSimulatorState } from "./provider-state.ts";
import { resetRoutes } from "./reset-routes.ts";

interface Deps {
  readonly clock: AdjustableClock;
  readonly tables: TableState;
  readonly parts: Readonly<Record<TablePart, PartTables>>;
  readonly blobs: BlobStore;
  readonly uploads: { removeUnnamed(sha256s: readonly string[]): Promise<void> };
  readonly requests: { readonly clear: () => Promise<number> };
  readonly bans: { list(): string[]; remove(ip: string): Promise<boolean> };
  /** Puts the seeds of empty collections back. */
  readonly refill: () => Promise<void>;
  /** Folder of the fixtures. */
  readonly fixturesFolder: string;
  /** Base URL of the provider simulator. */
  readonly providerUrl: () => string;
  readonly bus: EventBus;
}

export interface Control {
  readonly routes: readonly Route[];
  /** The middleware by which faults hit requests. */
  readonly inject: Faults["inject"];
}

const source = "/app/control";

export function createControl(deps: Deps): Control {
  const { clock, tables, parts, blobs, uploads, bus } = deps;
  const faults = createFaults();
  const simulator = createSimulatorState(deps.providerUrl);

  /** Empties the tables of a part; what was in the first one is counted. */
  async function clear(part: TablePart, also: readonly string[] = []): Promise<number> {
    const own = parts[part].tables;
    const counts = await tables.clear([...own, ...also], { restart: true });
    return counts.get(own[0] ?? "") ?? 0;
  }

  async function clearUploads(): Promise<number> {
    const { blobColumn = "" } = parts.uploads;
    const rows = (await tables.read(parts.uploads.tables)).flatMap((content) => content.rows);
    const count = await clear("uploads");
    await uploads.removeUnnamed(rows.map((row) => String(row[blobColumn])));
    return count;
  }

  async function clearRecords(): Promise<number> {
    const count = await clear("records");
    await deps.refill();
    return count;
  }

  async function clearBans(): Promise<number> {
    const banned = deps.bans.list();
    for (const ip of banned) await deps.bans.remove(ip);
    return banned.length;
  }

  const resets: Record<StatePart, () => Promise<number> | number> = {
    users: () => clear("users", parts.sessions.tables),
    sessions: () => clear("sessions"),
    records: clearRecords,
    uploads: clearUploads,
    file_events: () => clear("file_events"),
    orders: () => clear("orders"),
    // Their ids go on: who follows them asks for those after the last one that it has seen.
    events: async () => (await tables.clear(["events"], { restart: false })).get("events") ?? 0,
    requests: deps.requests.clear,
    provider: simulator.clear,
    bans: clearBans,
    faults: faults.clear,
    clock() {
      const { offsetMs } = clock;
      clock.offsetMs = 0;
      return offsetMs;
    },
  };

  const fixtures = createFixtures({
    folder: deps.fixturesFolder,
    tables,
    parts,
    blobs,
    simulator,
    removeUnnamed: (sha256s) => uploads.removeUnnamed(sha256s),
    onLoad: ({ name, parts: loaded }) =>
      bus.publish({ type: "fixture.loaded", source, subject: name, data: { name, parts: loaded } }),
    now: clock.now,
  });

  return {
    inject: faults.inject,
    routes: [
      ...clockRoutes(clock),
      ...faultsRoutes(faults),
      ...resetRoutes(resets, (reset) => bus.publish({ type: "state.reset", source, data: { parts: [...reset] } })),
      ...fixturesRoutes(fixtures),
    ],
  };
}
