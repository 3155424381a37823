/** Makes the test interface of a running Hearth from its addresses and control routes. */
import { consoleAccess } from "../supervisor/console-access.ts";
import { createScriptedModel, type RulesText } from "../supervisor/create-scripted-model.ts";
import { fileEventsPath, unservedIn } from "../supervisor/unserved-files.ts";
import { ControlError, createControlCall } from "./control-call.ts";
import { definedOptions } from "./defined-options.ts";
import type { Hearth } from "./hearth.ts";
import { createPhone, type PhoneOptions } from "./phone/phone.ts";
import type { KitAddresses } from "./running-services.ts";
import type { RecordedRequest } from "./shapes.ts";

/** Everything that a fixture can hold. */
const inSnapshots = ["users", "sessions", "records", "uploads", "file_events", "orders", "provider"];
/** Parts that no fixture holds, reset before loading: the clock dates what is loaded, faults and bans would hinder it. */
const beforeLoading = ["clock", "faults", "bans"];
/** Parts that no fixture holds, reset after loading, which adds to them. */
const afterLoading = ["requests", "events"];

/** The user whose token `hearth exec` also passes to its command. */
const tokenUser = "test";

/** The people and the scripted models of a start, by name. */
interface Prepared {
  readonly users: Readonly<Record<string, unknown>>;
  readonly rules: ReadonlyMap<string, RulesText>;
  /** Whether a setting names files of the user's: collections, fixed answers, code. */
  readonly hasFiles: boolean;
}

function refusalIn(error: unknown): ControlError {
  if (error instanceof ControlError) return error;
  throw error;
}

/**
 * @param stop ends the run, and removes its data
 * @throws Error that names the collections and fixed answers that are not served, with their problems
 */
export async function createHearth(
  { app, provider, model, stand_in, console }: KitAddresses,
  { users, rules, hasFiles }: Prepared,
  stop: () => Promise<void>,
): Promise<Hearth> {
  const api = createControlCall(`${app}/console/api`, consoleAccess(console).token);
  const sim = createControlCall(provider);
  const phone = (name: string, options?: PhoneOptions) => createPhone(name, app, sim, options);
  let snapshots = 0;

  async function snapshot(): Promise<string> {
    const name = `snapshot-${++snapshots}`;
    await api("PUT", `/fixtures/${name}`, { parts: inSnapshots });
    return name;
  }
  /** Removes all watches, because a start has none. */
  async function endWatches(): Promise<void> {
    const { folders } = (await api("GET", "/watched-folders")) as { folders: { id: number }[] };
    for (const { id } of folders) await api("DELETE", `/watched-folders/${id}`);
  }
  const restore = async (name: string) => void (await api("POST", `/fixtures/${name}/loads`));

  /** Their counts begin at zero each time. */
  async function createModels(): Promise<void> {
    if (model !== null) for (const [name, text] of rules) await createScriptedModel(model, name, text);
  }

  await createModels();
  for (const [name, person] of Object.entries(users))
    await sim("PATCH", `/sim/users/${encodeURIComponent(name)}`, person);
  // A path without a built-in route is answered after the files of collections, fixed answers and code were read.
  if (hasFiles) await createControlCall(app)("GET", "/api/").catch(refusalIn);
  // Settings such as `maintenance` may prevent the login: the error is thrown when the token is read.
  const login = await api("POST", "/tokens", { user: tokenUser }).then(
    (answer) => answer as { access_token: string },
    refusalIn,
  );
  const unserved = hasFiles ? unservedIn(await api("GET", fileEventsPath)) : [];
  if (unserved.length > 0) throw new Error(unserved.join("; "));
  const [beginning] = await Promise.all([snapshot(), api("DELETE", "/requests")]);

  return {
    urls: { app, provider, model, stand_in, console },
    get token() {
      if (login instanceof Error) throw login;
      return login.access_token;
    },
    phone,
    snapshot,
    restore,
    async reset() {
      await endWatches();
      await api("POST", "/resets", { parts: beforeLoading });
      await restore(beginning);
      await createModels();
      await api("POST", "/resets", { parts: afterLoading });
    },
    async waitForRequest(filter = {}) {
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries(definedOptions(filter))) query.set(name, String(value));
      const { requests } = (await api("GET", `/requests/wait?${query.toString()}`)) as { requests: { id: number }[] };
      return (await api("GET", `/requests/${requests[0]?.id}`)) as RecordedRequest;
    },
    har: async () => JSON.stringify(await api("GET", "/requests/har")),
    async inject(fault) {
      const [call, path] = "kind" in fault ? ([sim, "/sim/faults"] as const) : ([api, "/faults"] as const);
      const { id } = (await call("POST", path, fault)) as { id: number };
      const remove = async () => {
        await call("DELETE", `${path}/${id}`).catch((error: unknown) => {
          if (!(error instanceof ControlError && error.status === 404)) throw error; // it has been removed
        });
      };
      return { id, remove, [Symbol.asyncDispose]: remove };
    },
    async usePlatformKeys(keys, mchId) {
      const query = mchId === undefined ? "" : `?mch_id=${encodeURIComponent(mchId)}`;
      await sim("PUT", `/sim/platform-key${query}`, keys);
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
