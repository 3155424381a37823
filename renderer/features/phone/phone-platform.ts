/**
 * The platform of one installation of the app: its calls to the provider, and its permission prompts (spec: Permission
 * rules).
 */
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
}

export function createPhonePlatform({ user, call, network, store }: Deps) {
  const params = { name: user };
  const app = new AbortController();
  const removed = app.signal;

  /** One call to the provider, by the platform's name of it. */
  async function recordedCall<Result extends { errMsg: string }>(
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
      await network.pass(removed);
      const result = await send();
      store.amend(entry, { status: 200, ms: ms(), errMsg: result.errMsg, received: withoutSecrets(result) });
      return result;
    } catch (error) {
      store.amend(entry, { failure: error instanceof Error ? error.message : String(error), ms: ms() });
      throw error;
    }
  }

  /** What is to be done one after the other. Each throws when the app is removed before its turn. */
  function createQueue() {
    let last: Promise<unknown> = Promise.resolve();
    return <Result>(act: () => Promise<Result>): Promise<Result> => {
      const done = last.then(() => {
        removed.throwIfAborted();
        return act();
      });
      last = done.catch(() => undefined);
      return done;
    };
  }
  /** A person is shown one prompt at a time. */
  const inTurn = createQueue();
  /** What changes the permissions at the provider: an answer under way must not come after they are forgotten. */
  const changing = createQueue();

  /** Shows a prompt until it is answered. @throws when the app is removed meanwhile */
  async function prompt<Answer extends NonNullable<PhoneQuestion["answer"]>>(
    about: PhoneQuestion["about"],
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
  async function ask(about: Permission): Promise<{ deny?: "true" }> {
    const held = (await call(getSimAllowances, { params }))[about];
    if (held === true || (held === false && about === "location")) return {};
    const person = await call(getSimPerson, { params });
    const answer = await prompt<"allowed" | "denied">(about, (give) => ({
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
    inTurn(async () => {
      const query = await ask(about);
      return changing(() => recordedCall(name, path, () => send(query)));
    });

  /** The result for a button's callback; the simulator reports whether a prompt was shown. */
  const detailOf = (result: { prompted: boolean; errMsg: string }): Detail => ({ ...result, prompted: undefined });

  return {
    /** Aborted when the app is removed. */
    removed,
    login: async (): Promise<string> => {
      return (await recordedCall("login", simLogin.path, () => call(simLogin, { params }))).code;
    },
    getUserInfo: async (): Promise<Detail> => {
      const result = await permitted("userInfo", "getUserInfo", simGetUserInfo, async (query) => {
        const known = await call(simGetUserInfo, { params, query });
        const nickName = known.userInfo?.["nickName"];
        if (typeof nickName === "string") store.setState({ nickName });
        return known;
      });
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
      const outcome = await inTurn(() =>
        prompt<PaymentChoice>("payment", (answer) => ({ about: "payment", ...order, answer })),
      );
      const send = () => call(simRequestPayment, { params, query: { outcome }, body });
      const { errMsg } = await recordedCall("requestPayment", simRequestPayment.path, send);
      removed.throwIfAborted();
      return errMsg;
    },
    /**
     * Forgets the permissions, then ends the prompts and all that is under way.
     * @throws when the provider does not forget them; the app stays then
     */
    removeApp: (): Promise<void> =>
      changing(async () => {
        const body = { userInfo: null, phoneNumber: null, location: null };
        await call(changeSimAllowances, { params, body });
        app.abort(new Error("The app was removed."));
      }),
  };
}
