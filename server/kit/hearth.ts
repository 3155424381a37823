/** A running Hearth as tests see it: its addresses, and what the control routes can do. */
import { basename } from "node:path";
import type { ReadyFileContent } from "../supervisor/ready-file.ts";
import { createControlCall, type ControlCall } from "./control-call.ts";
import { createPhone, type Phone } from "./phone.ts";
import type { AppFault, PlatformFault, RecordedRequest, RequestFilter } from "./shapes.ts";

/** A fault that a test has armed. `await using` removes it at the end of its block. */
export interface InjectedFault {
  readonly id: number;
  remove(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The clock by which sessions, codes and keys expire. It runs at the real one's pace. */
export interface Clock {
  now(): Promise<Date>;
  /** @param ms how much further than it is */
  advance(ms: number): Promise<void>;
  set(to: Date): Promise<void>;
  /** Puts it back to the real one's time. */
  reset(): Promise<void>;
}

export interface Hearth {
  readonly urls: {
    /** The application server. */
    readonly app: string;
    /** The provider simulator. */
    readonly provider: string;
    /** The model service; null without one. */
    readonly model: string | null;
    /** The console, with the token that its API takes. */
    readonly console: string;
  };
  /** The session token of a user, `test`, who has logged in completely. A reset leaves it valid. */
  readonly token: string;
  /** A client of this person, logged in by the real protocol. The person is created where there is none of that name. */
  phone(name: string): Promise<Phone>;
  /**
   * Makes everything what it was after the start: data, people, uploads, orders, faults and the clock, and no requests
   * recorded. Phones log in again by themselves.
   */
  reset(): Promise<void>;
  /** Keeps the present data, people, sessions, uploads and orders. @returns what `restore` takes */
  snapshot(): Promise<string>;
  /** Makes them what they were at a snapshot of this instance. */
  restore(snapshot: string): Promise<void>;
  /**
   * The newest recorded request that the filter fits, at once where there is one. Requests to all services are recorded.
   * @throws Error that says what came instead, when none comes within `timeout_ms` (10,000 unless given)
   */
  waitForRequest(filter?: RequestFilter): Promise<RecordedRequest>;
  /** The recorded requests as an HTTP archive (HAR 1.2), as JSON text. */
  har(): Promise<string>;
  /** Arms a fault: with `kind` at the simulated platform, else at the application server. */
  inject(fault: AppFault | PlatformFault): Promise<InjectedFault>;
  readonly clock: Clock;
  /** Ends its processes and removes its data. */
  stop(): Promise<void>;
  /** The same as `stop`. */
  [Symbol.asyncDispose](): Promise<void>;
}

interface FileProblem {
  readonly file: string;
  readonly message: string;
}

/** Everything that a fixture can hold. */
const inSnapshots = ["users", "sessions", "records", "uploads", "file_events", "orders", "provider"];
/** What a fixture does not hold. */
const besideSnapshots = ["requests", "bans", "faults", "clock", "events"];

/** The user whose token `hearth exec` hands to its command, too. */
const tokenUser = "test";

/** @throws Error that names the first problem of a collection or of the fixed answers, which are not served then */
async function refuseProblems(api: ControlCall): Promise<void> {
  for (const type of ["collection.failed", "routes.failed"]) {
    const { events } = (await api("GET", `/events?type=${type}`)) as { events: { data: FileProblem }[] };
    const { file, message } = events[0]?.data ?? {};
    if (file !== undefined) throw new Error(`${basename(file)}: ${message}`);
  }
}

/** @param stop ends the run, and removes what it leaves */
export async function createHearth(
  { app, provider, model, console }: ReadyFileContent,
  users: Readonly<Record<string, unknown>>,
  stop: () => Promise<void>,
): Promise<Hearth> {
  const api = createControlCall(`${app}/console/api`, new URL(console).searchParams.get("token") ?? "");
  const sim = createControlCall(provider);
  const phone = (name: string) => createPhone(name, app, sim);
  let snapshots = 0;

  async function snapshot(): Promise<string> {
    const name = `snapshot-${++snapshots}`;
    await api("PUT", `/fixtures/${name}`, { parts: inSnapshots });
    return name;
  }
  const restore = async (name: string) => void (await api("POST", `/fixtures/${name}/loads`));

  for (const [name, person] of Object.entries(users))
    await sim("PATCH", `/sim/users/${encodeURIComponent(name)}`, person);
  // Where nothing built in is, the answer comes once the files of collections and fixed answers have been read.
  await (await fetch(`${app}/api/`)).text();
  const { access_token: token } = (await api("POST", "/tokens", { user: tokenUser })) as { access_token: string };
  await refuseProblems(api);
  const beginning = await snapshot();
  await api("DELETE", "/requests");

  return {
    urls: { app, provider, model, console },
    token,
    phone,
    snapshot,
    restore,
    async reset() {
      // First the clock, by which what follows is dated.
      await api("POST", "/resets", { parts: besideSnapshots });
      await restore(beginning);
    },
    async waitForRequest(filter = {}) {
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries(filter)) query.set(name, String(value));
      const { requests } = (await api("GET", `/requests/wait?${query.toString()}`)) as { requests: { id: number }[] };
      return (await api("GET", `/requests/${requests[0]?.id}`)) as RecordedRequest;
    },
    har: async () => JSON.stringify(await api("GET", "/requests/har")),
    async inject(fault) {
      const [call, path] = "kind" in fault ? ([sim, "/sim/faults"] as const) : ([api, "/faults"] as const);
      const { id } = (await call("POST", path, fault)) as { id: number };
      const remove = async () => void (await call("DELETE", `${path}/${id}`));
      return { id, remove, [Symbol.asyncDispose]: remove };
    },
    clock: {
      now: async () => new Date(((await api("GET", "/clock")) as { now: string }).now),
      advance: async (ms) => void (await api("PUT", "/clock", { advance_ms: ms })),
      set: async (to) => void (await api("PUT", "/clock", { at: to.toISOString() })),
      reset: async () => void (await api("DELETE", "/clock")),
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
