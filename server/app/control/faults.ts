/** Injected faults: latency, errors and cut connections for the requests that a test chooses. */
import { message } from "../../contract/messages/message.ts";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createRecentTimes, type RecentTimes } from "../../process/recent-times.ts";
import { seededDraw } from "../../process/seeded-draw.ts";
import type { Fault, FaultInput } from "../../contract/console/control/control.ts";
import { faultHitsHeader, faultsHeader } from "../../contract/app/hearth-headers.ts";
import { pauseUnlessLeft } from "../../http/connection/bodies/pause-unless-left.ts";
import { notesOf } from "../../http/recording/exchange-notes.ts";
import { addFaultHit } from "../../trace/fault-hits.ts";
import { HttpError, refuse } from "../../http/http-error.ts";
import { pathOf, type Middleware } from "../../http/middleware.ts";
import { createPathPattern, isPathPattern, pathPatternRule } from "../../http/path-pattern.ts";

export type RouteFaults = ReturnType<typeof createFaults>;

interface ActiveFault {
  readonly id: number;
  readonly input: FaultInput;
  readonly methods: ReadonlySet<string> | undefined;
  readonly matchesPath: (path: string) => boolean;
  readonly recent: RecentTimes;
  hits: number;
  draws: number;
}

const isSpent = ({ input: { times }, hits }: ActiveFault) => times !== undefined && hits >= times;
const view = (fault: ActiveFault): Fault => ({
  id: fault.id,
  ...fault.input,
  hits: fault.hits,
  recent_hits: fault.recent.list(),
  spent: isSpent(fault),
});

/** True when the fault applies to this request, which is then counted. */
function hits(fault: ActiveFault, { method = "" }: IncomingMessage, path: string): boolean {
  if (isSpent(fault) || fault.methods?.has(method) === false || !fault.matchesPath(path)) return false;
  const { probability, seed } = fault.input;
  if (probability < 1 && seededDraw(seed, ++fault.draws) >= probability) return false;
  fault.hits++;
  fault.recent.add();
  return true;
}

/** Headers and members that belong to a status: a step in a 401, a time in a 503 (spec: Login conditions; Errors). */
const expectedHeaders = (status: number): Record<string, string> =>
  status === 401 ? { "WWW-Authenticate": "Bearer" } : status === 503 ? { "Retry-After": "1" } : {};

/** @throws HttpError for an error in the server's own form */
function answer(res: ServerResponse, id: number, { status = 500, message: custom, headers, body }: FaultInput): void {
  const text = custom ?? message("fault.injected", { id });
  const refusal = new HttpError(status, "injected_fault", text, {
    headers: { ...expectedHeaders(status), ...headers },
  });
  if (body === undefined) throw refusal;
  notesOf(res).refusal = refusal;
  for (const [name, value] of Object.entries(refusal.headers)) res.setHeader(name, value);
  if (!res.hasHeader("Content-Type")) res.setHeader("Content-Type", "application/json; charset=utf-8");
  const bytes = Buffer.from(JSON.stringify(body));
  res.statusCode = status;
  res.setHeader("Content-Length", bytes.length).end(bytes);
}

const effectOf = ({ status, abort }: FaultInput) =>
  status !== undefined ? "route_status" : abort === true ? "route_cut" : "route_delay";

export function createFaults() {
  let active: ActiveFault[] = [];
  let lastId = 0;

  function activate(input: FaultInput, at: string): ActiveFault {
    if (!isPathPattern(input.path)) throw refuse("fault.pattern", { place: at, rule: pathPatternRule }, { field: at });
    return {
      id: ++lastId,
      input,
      methods: input.method === undefined ? undefined : new Set(input.method.split(",")),
      matchesPath: createPathPattern(input.path),
      recent: createRecentTimes(),
      hits: 0,
      draws: 0,
    };
  }

  async function inject(req: IncomingMessage, res: ServerResponse, next: () => void): Promise<void> {
    const path = pathOf(req);
    const armed = active.filter((fault) => !isSpent(fault)).length;
    if (armed > 0) res.setHeader(faultsHeader, `${String(armed)} armed`);
    const hit: number[] = [];
    for (const fault of active) {
      if (!hits(fault, req, path)) continue;
      const { id, input } = fault;
      hit.push(id);
      const { faults = [] } = notesOf(res);
      const mark = { key: `route-${String(id)}`, kind: effectOf(input) };
      notesOf(res).faults = [...faults, mark];
      addFaultHit(mark);
      res.setHeader(faultHitsHeader, hit.join(", "));
      if (input.delay_ms !== undefined) await pauseUnlessLeft(res, input.delay_ms);
      if (res.closed) return;
      if (input.abort === true) {
        notesOf(res).refusal = refuse("fault.cut", { id });
        req.socket.destroy();
        return;
      }
      if (input.status !== undefined) {
        answer(res, id, input);
        return;
      }
    }
    next();
  }

  return {
    list: () => active.map(view),
    /** @throws HttpError 400 naming the path that is no pattern; nothing is changed then */
    replace(faults: readonly FaultInput[]): void {
      active = faults.map((one, index) => activate(one, `faults.${String(index)}.path`));
    },
    add(input: FaultInput): Fault {
      const fault = activate(input, "path");
      active = [...active, fault];
      return view(fault);
    },
    remove(id: number): boolean {
      const { length } = active;
      active = active.filter((fault) => fault.id !== id);
      return active.length < length;
    },
    clear: (): number => {
      const { length } = active;
      active = [];
      return length;
    },
    /** Applies the faults to the requests they match. */
    inject: ((req, res, next) => (active.length === 0 ? next() : inject(req, res, next))) satisfies Middleware,
  };
}
