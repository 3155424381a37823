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
import { getSimAllowances, getSimPerson } from "../../../server/contract/provider/sim-people.ts";
import type { Detail } from "../../../server/app/console/reference-client/hearth-client.ts";
import type { Call } from "../../api/call.ts";
import type { PhoneNetwork } from "./phone-network.ts";
import type { PaymentOutcome, Permission, PhoneStore } from "./phone-state.ts";
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

  function sheetView<Answer>(show: (answer: (given: Answer) => void) => void): Promise<Answer> {
    return new Promise((resolve) =>
      show((given) => {
        store.setState({ sheet: undefined });
        resolve(given);
      }),
    );
  }

  /**
   * Prompts if the platform would: after a rejected location it never prompts again. Returns the query of the
   * provider's call.
   */
  async function ask(about: Permission): Promise<{ deny?: "true" }> {
    const held = (await call(getSimAllowances, { params }))[about];
    if (held === true || (held === false && about === "location")) return {};
    const person = await call(getSimPerson, { params });
    const entry = store.add({ kind: "question", about });
    const allowed = await sheetView<boolean>((answer) => store.setState({ sheet: { about, person, answer } }));
    store.amend(entry, { answer: allowed ? "allowed" : "denied" });
    return allowed ? {} : { deny: "true" };
  }

  /** The result for a button's callback; the simulator reports whether a prompt was shown. */
  const detailOf = (result: { prompted: boolean; errMsg: string }): Detail => ({ ...result, prompted: undefined });

  return {
    login: async (): Promise<string> => {
      return (await reported("login", simLogin.path, () => call(simLogin, { params }))).code;
    },
    getUserInfo: async (): Promise<Detail> => {
      const query = await ask("userInfo");
      const result = await reported("getUserInfo", simGetUserInfo.path, () => call(simGetUserInfo, { params, query }));
      const nickName = result.userInfo?.["nickName"];
      if (typeof nickName === "string") store.setState({ nickName });
      return detailOf(result);
    },
    getPhoneNumber: async (): Promise<Detail> => {
      const query = await ask("phoneNumber");
      const { path } = simGetPhoneNumber;
      return detailOf(await reported("getPhoneNumber", path, () => call(simGetPhoneNumber, { params, query })));
    },
    getLocation: async (): Promise<z.output<typeof simLocationSchema>> => {
      const query = await ask("location");
      return reported("getLocation", simGetLocation.path, () => call(simGetLocation, { params, query }));
    },
    /** `body`: the server's pay parameters. Returns the platform's result, which proves nothing. */
    requestPayment: async (
      body: Record<string, string>,
      order: { amount: number; description: string },
    ): Promise<string> => {
      const entry = store.add({ kind: "question", about: "payment" });
      const outcome = await sheetView<PaymentOutcome>((answer) =>
        store.setState({ sheet: { about: "payment", ...order, answer } }),
      );
      store.amend(entry, { answer: outcome });
      const send = () => call(simRequestPayment, { params, query: { outcome }, body });
      return (await reported("requestPayment", simRequestPayment.path, send)).errMsg;
    },
  };
}
