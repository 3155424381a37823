/** The simulated platform as one person's client calls it. The person answers its prompts. */
import type { ControlCall } from "../control-call.ts";
import type { PaymentOutcome, Prompts } from "./prompts.ts";

/** The platform's answer to its client: the name of the call and `:ok`, or `:fail` with the reason. */
export interface PlatformAnswer {
  readonly errMsg: string;
  readonly [field: string]: unknown;
}

/** The scopes that the person was asked for, and the answers. */
export interface AuthSetting {
  [scope: string]: boolean;
}

export interface PersonPlatform {
  /** A fresh login code. It never prompts. */
  login(): Promise<{ readonly code: string; readonly errMsg: string }>;
  /** Whether the session key of the last login of this phone is still valid. */
  isSessionValid(): Promise<boolean>;
  getUserInfo(): Promise<PlatformAnswer>;
  getUserProfile(): Promise<PlatformAnswer>;
  getPhoneNumber(): Promise<PlatformAnswer>;
  getLocation(): Promise<PlatformAnswer>;
  getSetting(): Promise<AuthSetting>;
  /** Opens the settings, where the person switches each scope that was asked for to the answer of today. */
  openSetting(): Promise<AuthSetting>;
  /** @param parameters those of requestPayment, which the server has signed */
  pay(parameters: Readonly<Record<string, string>>, outcome?: PaymentOutcome): Promise<PlatformAnswer>;
}

/** The member of the simulator's settings by the name of the prompt. */
const permissions = { phone: "phoneNumber", userInfo: "userInfo", location: "location" } as const;
type Permission = keyof typeof permissions;

const scopes = { userInfo: "scope.userInfo", location: "scope.userLocation" } as const;

/** @param sim calls the provider simulator */
export function createPersonPlatform(name: string, sim: ControlCall, prompts: Prompts): PersonPlatform {
  const person = `/sim/users/${encodeURIComponent(name)}`;
  const post = async <Answer>(step: string, body?: unknown) => (await sim("POST", `${person}/${step}`, body)) as Answer;
  const sessionKeyId = async () => ((await sim("GET", person)) as { session_key_id: string | null }).session_key_id;
  let loggedInWith: string | null = null;

  const settings = async (change?: Readonly<Record<string, boolean | null>>) =>
    (await sim(change ? "PATCH" : "GET", `${person}/settings`, change)) as { authSetting: AuthSetting };

  /** `prompted` is the simulator's own. */
  async function ask(permission: Permission, step: string): Promise<PlatformAnswer> {
    const isDenied = prompts.isDenied(permission);
    if (isDenied) await settings({ [permissions[permission]]: null });
    const { prompted: _prompted, ...answer } = await post<PlatformAnswer>(`${step}${isDenied ? "?deny" : ""}`);
    return answer;
  }

  return {
    async login() {
      const answer = await post<{ code: string; errMsg: string }>("login");
      loggedInWith = await sessionKeyId();
      return answer;
    },
    isSessionValid: async () => loggedInWith !== null && (await sessionKeyId()) === loggedInWith,
    getUserInfo: () => ask("userInfo", "user-info"),
    async getUserProfile() {
      const deny = prompts.isDenied("userInfo") ? "&deny" : "";
      const { prompted: _prompted, ...answer } = await post<PlatformAnswer>(`user-info?profile${deny}`);
      return answer;
    },
    getPhoneNumber: () => ask("phone", "phone-number"),
    getLocation: () => ask("location", "location"),
    getSetting: async () => (await settings()).authSetting,
    async openSetting() {
      const { authSetting } = await settings();
      const asked = (["userInfo", "location"] as const).filter((one) => authSetting[scopes[one]] !== undefined);
      if (asked.length === 0) return authSetting;
      const answers = asked.map((one) => [permissions[one], !prompts.isDenied(one)] as const);
      return (await settings(Object.fromEntries(answers))).authSetting;
    },
    pay: (parameters, outcome = prompts.payment) => post(`payments?outcome=${outcome}`, parameters),
  };
}
