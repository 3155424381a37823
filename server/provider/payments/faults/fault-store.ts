/** The active faults. They persist across restarts, with their counts. */
import type { Kysely } from "kysely";
import { parseJson } from "../../../contract/parse-json.ts";
import { createRecentTimes, type RecentTimes } from "../../../process/recent-times.ts";
import { seededDraw } from "../../../process/seeded-draw.ts";
import {
  simFaultInputSchema,
  type SimFault,
  type SimFaultInput,
  type SimFaultKind,
  type SimFaultOf,
} from "../../../contract/provider/sim-faults.ts";
import { addFaultHit } from "../../../trace/fault-hits.ts";
import { faultMarkOf } from "../calls/fault-ref.ts";
import type { FaultTables } from "./fault-tables.ts";

/** An event that a fault may hit. */
export interface FaultOccasion {
  readonly mchId?: string | undefined;
  readonly outTradeNo?: string | undefined;
}

async function save(db: Kysely<FaultTables>, some: readonly StoredFault[]): Promise<void> {
  for (const { id, hits, draws } of some)
    await db.updateTable("sim_faults").set({ hits, draws }).where("id", "=", id).execute();
}

/** A fault of the kind `Kind`. */
export interface ActiveFault<Kind extends SimFaultKind = SimFaultKind> {
  readonly id: number;
  readonly input: SimFaultOf<Kind>;
}

interface StoredFault extends ActiveFault {
  readonly recent: RecentTimes;
  hits: number;
  draws: number;
}

const isSpent = ({ input: { times }, hits }: StoredFault) => times !== undefined && hits >= times;
const view = (fault: StoredFault): SimFault => ({
  id: fault.id,
  ...fault.input,
  hits: fault.hits,
  recent_hits: fault.recent.list(),
  spent: isSpent(fault),
});

function isInScope({ input }: ActiveFault, { mchId, outTradeNo }: FaultOccasion): boolean {
  if (!("scope" in input)) return true;
  const { mch_id = mchId, out_trade_no = outTradeNo } = input.scope;
  return mch_id === mchId && out_trade_no === outTradeNo;
}

async function load(db: Kysely<FaultTables>): Promise<Map<number, StoredFault>> {
  const rows = await db.selectFrom("sim_faults").selectAll().orderBy("id").execute();
  const known = rows.flatMap(({ id, input, hits, draws }) => {
    // An unknown fault, stored by another version, has no effect.
    const parsed = simFaultInputSchema.safeParse(parseJson(input));
    return parsed.success ? [[id, { id, input: parsed.data, recent: createRecentTimes(), hits, draws }] as const] : [];
  });
  return new Map(known);
}

export type FaultStore = Awaited<ReturnType<typeof openFaultStore>>;

export async function openFaultStore(db: Kysely<FaultTables>) {
  let faults = await load(db);
  const changed = new Set<StoredFault>();
  let saving: Promise<void> = Promise.resolve();

  async function insert(inputs: readonly SimFaultInput[]): Promise<StoredFault[]> {
    if (inputs.length === 0) return [];
    const values = inputs.map((input) => ({ input: JSON.stringify(input), hits: 0, draws: 0 }));
    const rows = await db.insertInto("sim_faults").values(values).returning("id").execute();
    return inputs.map((input, index) => ({
      id: rows[index]?.id ?? 0,
      input,
      recent: createRecentTimes(),
      hits: 0,
      draws: 0,
    }));
  }

  async function add(inputs: readonly SimFaultInput[]): Promise<StoredFault[]> {
    const added = await insert(inputs);
    for (const fault of added) faults.set(fault.id, fault);
    return added;
  }

  async function clear(): Promise<number> {
    const { size } = faults;
    faults.clear();
    await db.deleteFrom("sim_faults").execute();
    return size;
  }

  return {
    isEmpty: () => faults.size === 0,
    list: () => [...faults.values()].map(view),
    /** Removes all and adds these. */
    async replace(inputs: readonly SimFaultInput[]): Promise<void> {
      await clear();
      await add(inputs);
    },
    async add(input: SimFaultInput): Promise<SimFault> {
      const [fault] = await add([input]);
      if (!fault) throw new Error("the database has stored no fault");
      return view(fault);
    },
    async remove(id: number): Promise<boolean> {
      if (!faults.delete(id)) return false;
      await db.deleteFrom("sim_faults").where("id", "=", id).execute();
      return true;
    },
    clear,
    /** The faults of these kinds that are in scope and not used up, oldest first. */
    of<Kind extends SimFaultKind>(kinds: readonly Kind[], occasion: FaultOccasion): readonly ActiveFault<Kind>[] {
      if (faults.size === 0) return [];
      return [...faults.values()].filter(
        (fault): fault is StoredFault & ActiveFault<Kind> =>
          (kinds as readonly SimFaultKind[]).includes(fault.input.kind) &&
          !isSpent(fault) &&
          isInScope(fault, occasion),
      );
    },
    byId: (id: number): ActiveFault | undefined => faults.get(id),
    /** Whether the fault applies now; draws if it depends on chance. Counts the hit. */
    hit({ id }: Pick<ActiveFault, "id">): boolean {
      const fault = faults.get(id);
      if (!fault || isSpent(fault)) return false;
      const { probability, seed } = fault.input;
      changed.add(fault);
      if (probability < 1 && seededDraw(seed, ++fault.draws) >= probability) return false;
      fault.hits++;
      fault.recent.add();
      addFaultHit(faultMarkOf({ id, kind: fault.input.kind }));
      return true;
    },
    /** Settles when the counts of all hits so far are on disk. */
    saved(): Promise<void> {
      if (changed.size > 0) {
        const some = [...changed];
        changed.clear();
        saving = saving
          .catch(() => undefined)
          .then(() => save(db, some))
          .catch((error: unknown) => {
            // Whoever asks next tries it again, and does not fail by this one's error.
            for (const fault of some) if (faults.get(fault.id) === fault) changed.add(fault);
            throw error;
          });
      }
      return saving;
    },
    /** Reads the faults again after other code has written the tables. */
    async reload(): Promise<void> {
      changed.clear();
      faults = await load(db);
    },
  };
}
