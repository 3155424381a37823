import type { z } from "zod";
import {
  simGetLocation,
  simGetPhoneNumber,
  simGetUserInfo,
  simLogin,
  simRequestPayment,
} from "../../../server/contract/provider/sim-client.ts";
import type { simLocationSchema } from "../../../server/contract/provider/provider.ts";
import { changeSimAllowances, getSimAllowances, getSimPerson } from "../../../server/contract/provider/sim-people.ts";
import type { Detail } from "../../../server/app/console/reference-client/hearth-client.ts";
import { TaskQueue } from "../../api/actions/task-queue.ts";
import type { Call } from "../../api/http/call.ts";
import type { PhoneNetwork } from "./phone-network.ts";
import type { PaymentChoice, Permission, PhoneStore, PhoneQuestion, Sheet } from "./phone-state.ts";
import { withoutSecrets } from "./secret-fields.ts";

interface Deps {
  /** The person of the phone. */
  readonly user: string;
  readonly call: Call;
  readonly network: Pick<PhoneNetwork, "pass">;
  readonly store: PhoneStore;
  /** Unix time in ms. */
  readonly now: () => number;
  /** Called for each answer to requestPayment: its entry, its path at the provider, and when it was sent. */
  readonly onPaid: (entry: number, path: string, since: number) => void;
}

type Send<Result> = (query: { deny?: "true" }) => Promise<Result>;

/** The result for a button's callback; the simulator reports whether a prompt was shown. */
const detailOf = (result: { prompted: boolean; errMsg: string }): Detail => ({ ...result, prompted: undefined });

/**
 * The platform of one installation of the app: its calls to the provider, and its permission prompts (spec: Permission
 * rules). After `removeApp`, every call and prompt fails.
 */
export class PhonePlatform {
  readonly #deps: Deps;
  readonly #params: { readonly name: string };
  readonly #app = new AbortController();
  /** One prompt is shown at a time. */
  readonly #prompts = new TaskQueue();
  /** Calls that change the permissions at the provider: none may end after the app is removed. */
  readonly #changes = new TaskQueue();

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#params = { name: deps.user };
  }

  /** Aborted when the app is removed. */
  get removed(): AbortSignal {
    return this.#app.signal;
  }

  async login(): Promise<string> {
    const send = () => this.#deps.call(simLogin, { params: this.#params });
    return (await this.#record("login", simLogin.path, send)).code;
  }

  async getUserInfo(): Promise<Detail> {
    const { call, store } = this.#deps;
    const result = await this.#permitted("userInfo", "getUserInfo", simGetUserInfo, async (query) => {
      const known = await call(simGetUserInfo, { params: this.#params, query });
      const nickName = known.userInfo?.["nickName"];
      if (typeof nickName === "string") store.setState({ nickName });
      return known;
    });
    return detailOf(result);
  }

  async getPhoneNumber(): Promise<Detail> {
    const result = await this.#permitted("phoneNumber", "getPhoneNumber", simGetPhoneNumber, (query) =>
      this.#deps.call(simGetPhoneNumber, { params: this.#params, query }),
    );
    return detailOf(result);
  }

  getLocation(): Promise<z.output<typeof simLocationSchema>> {
    return this.#permitted("location", "getLocation", simGetLocation, (query) =>
      this.#deps.call(simGetLocation, { params: this.#params, query }),
    );
  }

  /** `body`: the server's pay parameters. Returns the platform's result, which proves nothing. */
  async requestPayment(body: Record<string, string>, order: { amount: number; description: string }): Promise<string> {
    const outcome = await this.#run(this.#prompts, () =>
      this.#prompt<PaymentChoice>("payment", (answer) => ({ about: "payment", ...order, answer })),
    );
    const send = () => this.#deps.call(simRequestPayment, { params: this.#params, query: { outcome }, body });
    const { onPaid, now } = this.#deps;
    const since = now();
    const { errMsg } = await this.#record("requestPayment", simRequestPayment.path, send, {
      sent: withoutSecrets(body),
      onAnswered: (entry) =>
        onPaid(entry, simRequestPayment.path.replace("{name}", encodeURIComponent(this.#deps.user)), since),
    });
    this.removed.throwIfAborted();
    return errMsg;
  }

  /**
   * Forgets the permissions, then ends the prompts and the calls under way.
   * @throws when the provider does not forget them; the app stays then
   */
  removeApp(): Promise<void> {
    return this.#run(this.#changes, async () => {
      const body = { userInfo: null, phoneNumber: null, location: null };
      await this.#deps.call(changeSimAllowances, { params: this.#params, body });
      this.#app.abort(new Error("The app was removed."));
    });
  }

  /** Runs a task in its turn. @throws when the app is removed before */
  #run<Result>(queue: TaskQueue, task: () => Promise<Result>): Promise<Result> {
    return queue.run(() => {
      this.removed.throwIfAborted();
      return task();
    });
  }

  /** Makes a call that the person has to allow. The next prompt is shown once the provider knows the answer. */
  #permitted<Result extends { errMsg: string }>(
    about: Permission,
    name: string,
    { path }: { path: string },
    send: Send<Result>,
  ): Promise<Result> {
    return this.#run(this.#prompts, async () => {
      const query = await this.#ask(about);
      return this.#run(this.#changes, () => this.#record(name, path, () => send(query)));
    });
  }

  /**
   * Prompts if the platform would: after a rejected location it never prompts again. Returns the query of the
   * provider's call.
   */
  async #ask(about: Permission): Promise<{ deny?: "true" }> {
    const { call } = this.#deps;
    const allowance = (await call(getSimAllowances, { params: this.#params }))[about];
    if (allowance === true || (allowance === false && about === "location")) return {};
    const person = await call(getSimPerson, { params: this.#params });
    const answer = await this.#prompt<"allowed" | "denied">(about, (resolve) => ({
      about,
      person,
      answer: (allowed) => resolve(allowed ? "allowed" : "denied"),
    }));
    return answer === "allowed" ? {} : { deny: "true" };
  }

  /** Shows a prompt until it is answered. @throws when the app is removed meanwhile */
  async #prompt<Answer extends NonNullable<PhoneQuestion["answer"]>>(
    about: PhoneQuestion["about"],
    createSheet: (resolve: (answer: Answer) => void) => Sheet,
  ): Promise<Answer | "cancel"> {
    const { store } = this.#deps;
    this.removed.throwIfAborted();
    const entry = store.add({ kind: "question", about });
    const answer = await new Promise<Answer | "cancel">((resolve) => {
      this.removed.addEventListener("abort", () => resolve("cancel"), { once: true });
      store.setState({ sheet: createSheet(resolve) });
    });
    store.setState({ sheet: undefined });
    store.amend(entry, { answer });
    this.removed.throwIfAborted();
    return answer;
  }

  /** Sends one call to the provider, and records it by the platform's name. */
  async #record<Result extends { errMsg: string }>(
    name: string,
    route: string,
    send: () => Promise<Result>,
    { sent, onAnswered }: { sent?: unknown; onAnswered?: (entry: number) => void } = {},
  ): Promise<Result> {
    const { user, network, store } = this.#deps;
    const { spelling } = store.getState();
    const path = route.replace("{name}", user);
    const entry = store.add({ kind: "call", to: "provider", name, method: "POST", path, spelling, sent });
    const began = performance.now();
    const ms = () => Math.round(performance.now() - began);
    try {
      await network.pass(this.removed);
      const result = await send();
      store.amend(entry, { status: 200, ms: ms(), errMsg: result.errMsg, received: withoutSecrets(result) });
      onAnswered?.(entry);
      return result;
    } catch (error) {
      store.amend(entry, { failure: error instanceof Error ? error.message : String(error), ms: ms() });
      throw error;
    }
  }
}
