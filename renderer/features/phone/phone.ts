/** One person's phone: the reference client on a simulated platform, and the person's actions. */
import { createHearthClient, type HttpResponse } from "../../../server/app/console/reference-client/hearth-client.ts";
import type { Call } from "../../api/http/call.ts";
import { createPhoneNetwork } from "./phone-network.ts";
import { PhonePlatform } from "./phone-platform.ts";
import { createPhoneStore, type Network, type PhoneCall, type PhoneState, type Tap } from "./phone-state.ts";
import type { Spelling } from "../../../server/contract/mini-program/header-spelling.ts";
import { traceBuyersCall, traceCall, type AnsweredCall } from "./trace-call.ts";

export interface PhoneDeps {
  /** The origin of the application server. */
  readonly app: string;
  /** The console's own calls: to the provider's control routes, and for recorded requests. */
  readonly call: Call;
  readonly fetch: typeof globalThis.fetch;
  readonly wait: (ms: number) => Promise<void>;
  /** Unix time in ms. */
  readonly now: () => number;
  /** The place of the phone's own storage. */
  readonly storage: Pick<Storage, "getItem" | "setItem" | "removeItem">;
}

export type SimulatedPhone = ReturnType<typeof createSimulatedPhone>;

export function createSimulatedPhone(user: string, { app, call, fetch, wait, now, storage }: PhoneDeps) {
  const initial: PhoneState = {
    opened: false,
    network: "good",
    spelling: "www-authenticate",
    sheet: undefined,
    status: undefined,
    statusAt: 0,
    nickName: undefined,
    avatar: undefined,
    entries: [],
  };
  const store = createPhoneStore(initial);
  const link = (entry: number, traced: Promise<Partial<PhoneCall>>) =>
    void traced.then(
      (known) => store.amend(entry, known),
      () => undefined, // not recorded: the entry has no link then
    );
  const onAnswered = (entry: number, answered: AnsweredCall) => link(entry, traceCall(call, answered));
  const network = createPhoneNetwork({ store, fetch, wait, onAnswered });
  const place = `hearth.phone.${user}`;
  const stored = () => JSON.parse(storage.getItem(place) ?? "{}") as Record<string, string>;

  /** An installation's client keeps nothing once its app is removed: a later one has the same place. */
  function install() {
    const platform = new PhonePlatform({
      user,
      call,
      network,
      store,
      now,
      onPaid: (entry, path, since) => link(entry, traceBuyersCall(call, path, since)),
    });
    const { removed } = platform;
    const client = createHearthClient(app, {
      login: () => platform.login(),
      getUserInfo: () => platform.getUserInfo(),
      getPhoneNumber: () => platform.getPhoneNumber(),
      send: network.sendUntil(removed),
      storage: {
        get(key) {
          removed.throwIfAborted();
          return stored()[key];
        },
        set(key, value) {
          removed.throwIfAborted();
          storage.setItem(place, JSON.stringify({ ...stored(), [key]: value }));
          showStatus();
        },
      },
    });
    return { platform, client };
  }
  let installed = install();
  function showStatus() {
    store.setState({ status: installed.client.status(), statusAt: now() });
  }
  showStatus();

  return {
    user,
    store,
    request: (method: string, path: string, body?: unknown): Promise<HttpResponse> =>
      installed.client.request(method, path, body),
    getLocation: () => installed.platform.getLocation(),
    requestPayment: (...payment: Parameters<typeof installed.platform.requestPayment>) =>
      installed.platform.requestPayment(...payment),
    tap: (what: Tap) => void store.add({ kind: "tap", what }),
    open: () => store.setState({ opened: true }),
    setNetwork: (network: Network) => store.setState({ network }),
    setSpelling: (spelling: Spelling) => store.setState({ spelling }),
    /** `page`: the path of its page. */
    setAvatar: (page: string) => store.setState({ avatar: `${app}${page}/image` }),
    clearEntries: () => store.setState({ entries: [] }),
    /**
     * Like deleting the app: the platform forgets the permissions, what is under way ends, and its storage is cleared.
     * @throws when the platform cannot; the app stays then
     */
    async removeApp(): Promise<void> {
      await installed.platform.removeApp();
      storage.removeItem(place);
      installed = install();
      store.setState({ opened: false, nickName: undefined, avatar: undefined });
      showStatus();
    },
  };
}
