/** Faults of the simulated platform and of the application server's routes, as rows of one table. */
import type { Fault, FaultInput } from "../../../server/contract/console/control/control.ts";
import type { SimFault, SimFaultInput } from "../../../server/contract/provider/sim-faults.ts";

export type FaultOrigin = "payment" | "identity" | "route";

export interface FaultRow {
  readonly key: string;
  readonly id: number;
  readonly origin: FaultOrigin;
  /** The kind of a platform's fault; methods and path of a route's. */
  readonly kind: string;
  /** Its parameters, in words of the wire. */
  readonly what: string;
  /** Its scope, if limited. */
  readonly scope: string;
  readonly chance: number;
  readonly times: number | undefined;
  readonly hits: number;
  /** ISO dates of the newest hits. */
  readonly recentHits: readonly string[];
  readonly spent: boolean;
  readonly note: string | undefined;
  /** The fault as it was added. */
  readonly input:
    { readonly side: "sim"; readonly body: SimFaultInput } | { readonly side: "route"; readonly body: FaultInput };
}

/** `how wrong_key · copies 3`: the given parameters in one line. */
function inWords(values: Readonly<Record<string, unknown>>): string {
  const present = Object.entries(values).filter(([, value]) => value !== undefined);
  return present
    .map(([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" · ");
}

export const isIdentity = (kind: string) => kind.startsWith("identity_");

export function simFaultRow({ id, hits, recent_hits: recentHits, spent, ...body }: SimFault): FaultRow {
  return {
    key: `sim-${id}`,
    id,
    origin: isIdentity(body.kind) ? "identity" : "payment",
    kind: body.kind,
    what: inWords(body.params),
    scope: "scope" in body ? Object.values(body.scope).join(" · ") : "",
    chance: body.probability,
    times: body.times,
    hits,
    recentHits,
    spent,
    note: body.note,
    input: { side: "sim", body },
  };
}

export function routeFaultRow({ id, hits, recent_hits: recentHits, spent, ...body }: Fault): FaultRow {
  const { method, path, probability, times, delay_ms, status, message, abort } = body;
  return {
    key: `route-${id}`,
    id,
    origin: "route",
    kind: `${method ?? "*"} ${path}`,
    what: inWords({ delay_ms, status, message, abort }),
    scope: "",
    chance: probability,
    times,
    hits,
    recentHits,
    spent,
    note: undefined,
    input: { side: "route", body },
  };
}

/** Whether any shown text of a row contains the text. */
export const hasText = (row: FaultRow, q: string): boolean =>
  [row.kind, row.what, row.scope, row.note ?? ""].some((text) => text.toLowerCase().includes(q.toLowerCase()));
