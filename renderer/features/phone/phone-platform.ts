/** The phone's platform: its calls to the provider, and its permission prompts (spec: Permission rules). */
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
import type { Call } from "../../api/call.ts";
import type { PhoneNetwork } from "./phone-network.ts";
import type { PaymentOutcome, Permission, PhoneStore, Question, Sheet } from "./phone-state.ts";
import { withoutSecrets } from "./secret-fields.ts";

interface Deps {
  /** The person of the phone. */
  readonly user: string;
  readonly call: Call;
  readonly network: Pick<PhoneNetwork, "pass">;
  readonly store: PhoneStore;
}

export function createPhonePlatform({ user, call, network, store }: Deps) {
  const params = { name: user };
  /** Until the app is removed. */
  let app = new AbortController();
  let last: Promise<unknown> = Promise.resolve();

  /** One call to the provider, by the platform's name of it. */
  async function reported<Result extends { errMsg: string }>(
    name: string,
    path: string,
    send: () => Promise<Result>,
  ): Promise<Result> {
    const { spelling } = store.getState();
    const place = path.replace("{name}", user);
    const entry = store.add({ kind: "call", to: "provider", name, method: "POST", path: place, spelling });
    const began = performance.now();
    const ms = () => Math.round(performance.now() - began);
    try {
      await network.pass();
      const result = await send();
      store.amend(entry, { status: 200, ms: ms(), errMsg: result.errMsg, received: withoutSecrets(result) });
      return result;
    } catch (error) {
      store.amend(entry, { failure: error instanceof Error ? error.message : String(error), ms: ms() });
      throw error;
    }
  }

  /** One after the other, as a person is shown one prompt at a time. @throws when the app is removed before its turn */
  function inTurn<Result>(act: (removed: AbortSignal) => Promise<Result>): Promise<Result> {
    const { signal } = app;
    const done = last.then(() => {
      signal.throwIfAborted();
      return act(signal);
    });
    last = done.catch(() => undefined);
    return done;
  }

  /** Shows a prompt until it is answered. @throws when the app is removed meanwhile */
  async function prompt<Answer extends NonNullable<Question["answer"]>>(
    about: Question["about"],
    removed: AbortSignal,
    sheetOf: (answer: (given: Answer) => void) => Sheet,
  ): Promise<Answer | "cancel"> {
    removed.throwIfAborted();
    const entry = store.add({ kind: "question", about });
    const answer = await new Promise<Answer | "cancel">((resolve) => {
      removed.addEventListener("abort", () => resolve("cancel"), { once: true });
      store.setState({ sheet: sheetOf(resolve) });
    });
    store.setState({ sheet: undefined });
    store.amend(entry, { answer });
    removed.throwIfAborted();
    return answer;
  }

  /**
   * Prompts if the platform would: after a rejected location it never prompts again. Returns the query of the
   * provider's call.
   */
  async function ask(about: Permission, removed: AbortSignal): Promise<{ deny?: "true" }> {
    const held = (await call(getSimAllowances, { params }))[about];
    if (held === true || (held === false && about === "location")) return {};
    const person = await call(getSimPerson, { params });
    const answer = await prompt<"allowed" | "denied">(about, removed, (give) => ({
      about,
      person,
      answer: (allowed) => give(allowed ? "allowed" : "denied"),
    }));
    return answer === "allowed" ? {} : { deny: "true" };
  }

  /** A call that the person has to allow. The next one's turn comes once the provider knows the answer. */
  const permitted = <Result extends { errMsg: string }>(
    about: Permission,
    name: string,
    { path }: { path: string },
    send: (query: { deny?: "true" }) => Promise<Result>,
  ): Promise<Result> =>
    inTurn(async (removed) => {
      const query = await ask(about, removed);
      return reported(name, path, () => send(query));
    });

  /** The result for a button's callback; the simulator reports whether a prompt was shown. */
  const detailOf = (result: { prompted: boolean; errMsg: string }): Detail => ({ ...result, prompted: undefined });

  return {
    login: async (): Promise<string> => {
      return (await reported("login", simLogin.path, () => call(simLogin, { params }))).code;
    },
    getUserInfo: async (): Promise<Detail> => {
      const result = await permitted("userInfo", "getUserInfo", simGetUserInfo, (query) =>
        call(simGetUserInfo, { params, query }),
      );
      const nickName = result.userInfo?.["nickName"];
      if (typeof nickName === "string") store.setState({ nickName });
      return detailOf(result);
    },
    getPhoneNumber: async (): Promise<Detail> =>
      detailOf(
        await permitted("phoneNumber", "getPhoneNumber", simGetPhoneNumber, (query) =>
          call(simGetPhoneNumber, { params, query }),
        ),
      ),
    getLocation: (): Promise<z.output<typeof simLocationSchema>> =>
      permitted("location", "getLocation", simGetLocation, (query) => call(simGetLocation, { params, query })),
    /** `body`: the server's pay parameters. Returns the platform's result, which proves nothing. */
    requestPayment: async (
      body: Record<string, string>,
      order: { amount: number; description: string },
    ): Promise<string> => {
      const outcome = await inTurn((removed) =>
        prompt<PaymentOutcome>("payment", removed, (answer) => ({ about: "payment", ...order, answer })),
      );
      const send = () => call(simRequestPayment, { params, query: { outcome }, body });
      return (await reported("requestPayment", simRequestPayment.path, send)).errMsg;
    },
    /** Ends the prompt that is shown and those that wait, and forgets the permissions. */
    async removeApp(): Promise<void> {
      app.abort(new Error("The app was removed."));
      app = new AbortController();
      const body = { userInfo: null, phoneNumber: null, location: null };
      await inTurn(() => call(changeSimAllowances, { params, body }));
    },
  };
}
