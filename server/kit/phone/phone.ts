/** A client of the application server: the reference client, with a simulated person at it. */
import { createHearthClient, sendByFetch } from "../../app/console/reference-client/hearth-client.ts";
import type { ControlCall } from "../control-call.ts";
import { createPersonPlatform, type PersonPlatform, type PlatformAnswer } from "./person-platform.ts";
import { createPrompts, type PaymentOutcome, type Prompts } from "./prompts.ts";

/**
 * An answer; `body` is the parsed JSON, other text, the bytes of anything else, or undefined when there is none. Names of
 * headers are in lower case.
 */
export interface PhoneResponse<Body = unknown> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
}

export interface PhoneOptions {
  /** false: the client is not opened yet, so that its first request logs in. For a mini-program that logs in itself. */
  readonly login?: boolean;
}

/** A button of a mini-program's page, by its `open-type`. */
export type OpenType = "getPhoneNumber" | "getUserInfo" | "openSetting";

/** What the page's handler of the button gets. */
export interface ButtonEvent {
  /** As the page binds it: `getphonenumber`. */
  readonly type: string;
  readonly detail: PlatformAnswer;
}

/** A logged-in client. When its session ends, it repeats the login's steps, as clients must. */
export interface Phone {
  /** The person's name at the simulated platform. */
  readonly name: string;
  /** The session token that it sends. */
  readonly token: string;
  /** How the person answers prompts: all are allowed, and orders are paid. */
  readonly prompts: Prompts;
  /** The platform's calls, for `createWx` of `hearthkit/wx`. */
  readonly platform: PersonPlatform;
  /** The person presses a button of the page. Returns the event for the page's handler. */
  press(button: OpenType): Promise<ButtonEvent>;
  /** Sends a request to the application server; `body` is sent as JSON, or as a form where it is FormData. */
  request<Body = unknown>(method: string, path: string, body?: unknown): Promise<PhoneResponse<Body>>;
  /**
   * Uploads a file like the upload component.
   * @param name with the extension of the content
   * @param type a short word for the purpose of the file
   */
  upload(
    name: string,
    content: Blob | Uint8Array<ArrayBuffer> | string,
    type?: string,
  ): Promise<PhoneResponse<{ success: boolean; id?: number; err_msg?: string }>>;
  /**
   * Pays an order, like the platform when a mini-program or an app calls requestPayment.
   * @param order the application server's answer: `pay` contains the signed parameters
   * @returns the platform's answer to the client. `requestPayment:ok` proves nothing: query the order's state
   */
  pay(order: { readonly pay?: Readonly<Record<string, string>> }, outcome?: PaymentOutcome): Promise<PlatformAnswer>;
}

/** A call that requires a complete login. */
const needsLogin = "/api/uploads?page_size=1";

/** @param sim calls the provider simulator @returns the client, logged in completely unless the options say otherwise */
export async function createPhone(
  name: string,
  app: string,
  sim: ControlCall,
  { login = true }: PhoneOptions = {},
): Promise<Phone> {
  const kept = new Map<string, string>();
  const prompts = createPrompts();
  const platform = createPersonPlatform(name, sim, prompts);
  const client = createHearthClient(app, {
    login: async () => (await platform.login()).code,
    getUserInfo: () => platform.getUserInfo(),
    getPhoneNumber: () => platform.getPhoneNumber(),
    send: sendByFetch,
    storage: { get: (key) => kept.get(key), set: (key, value) => void kept.set(key, value) },
  });
  const request = async <Body>(method: string, path: string, body?: unknown) =>
    (await client.request(method, path, body)) as PhoneResponse<Body>;
  const { status, body } = login ? await request("GET", needsLogin) : { status: 200 };
  if (status !== 200)
    throw new Error(`${name} cannot log in: the application server returned ${status}: ${JSON.stringify(body)}`);
  return {
    name,
    get token() {
      return client.status()?.access_token ?? "";
    },
    prompts,
    platform,
    async press(button) {
      const detail =
        button === "openSetting"
          ? { errMsg: "openSetting:ok", authSetting: await platform.openSetting() }
          : await platform[button]();
      return { type: button.toLowerCase(), detail };
    },
    request,
    upload(fileName, content, type) {
      const form = new FormData();
      form.append("[]", content instanceof Blob ? content : new Blob([content]), fileName);
      if (type !== undefined) form.append("type", type);
      return request("POST", "/api/uploads", form);
    },
    async pay(order, outcome) {
      if ("body" in order) throw new Error("this is a reply: pass its order, reply.body.data");
      if (order.pay === undefined) throw new Error("the order has no payment parameters: it is paid or closed");
      return platform.pay(order.pay, outcome);
    },
  };
}
