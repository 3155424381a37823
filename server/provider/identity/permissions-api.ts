/** A person's permissions: the calls that request them, and the settings page (spec: Permission rules). */
import type { z } from "zod";
import type { simAllowancesChangeSchema, simAllowancesSchema } from "../../contract/provider/provider.ts";
import { simGetLocation, simGetPhoneNumber, simGetUserInfo } from "../../contract/provider/sim-client.ts";
import { changeSimAllowances, getSimAllowances } from "../../contract/provider/sim-people.ts";
import { notesOf } from "../../http/recording/exchange-notes.ts";
import { route, type CallContext, type Route } from "../../http/route.ts";
import type { Consent, SimUser } from "./identity-tables.ts";
import { encryptOpenData, phoneInfo, publicInfo, signRawData, watermark } from "./open-data.ts";
import { userNamed, userViewOf } from "./sim-request.ts";
import type { SimSettingsStore } from "./sim-settings.ts";
import type { SimUsers } from "./sim-users.ts";
import { testApp } from "./test-app.ts";

interface Deps {
  readonly users: SimUsers;
  readonly settings: SimSettingsStore;
  readonly now: () => number;
}

type Allowances = z.output<typeof simAllowancesSchema>;
type Permission = keyof z.output<typeof simAllowancesChangeSchema>;
/** Input of the calls that may ask for a permission. */
interface Asked {
  readonly params: { readonly name: string };
  readonly query: { readonly deny?: string | undefined; readonly profile?: string | undefined };
}
type Column = "userinfo_consent" | "phone_consent" | "location_consent";

/** `promptsAgain`: after a rejection, the next call prompts once more. */
const permissions: Readonly<Record<Permission, { column: Column; promptsAgain: boolean }>> = {
  userInfo: { column: "userinfo_consent", promptsAgain: true },
  phoneNumber: { column: "phone_consent", promptsAgain: true },
  // Only the settings can undo a rejection: the client must send the person there.
  location: { column: "location_consent", promptsAgain: false },
};
const names = Object.keys(permissions) as Permission[];

/** The platform's names of the permissions; the phone number has none. */
const scopes = { userInfo: "scope.userInfo", location: "scope.userLocation" } as const;

const toConsent = (allowed: boolean | null): Consent => (allowed === null ? null : allowed ? "allowed" : "denied");
const toAllowance = (consent: Consent): boolean | null => (consent === null ? null : consent === "allowed");

function view(user: Omit<SimUser, "id">): Allowances {
  const allowances = {
    userInfo: toAllowance(user.userinfo_consent),
    phoneNumber: toAllowance(user.phone_consent),
    location: toAllowance(user.location_consent),
  };
  const asked = (Object.entries(scopes) as [keyof typeof scopes, string][]).flatMap(([name, scope]) => {
    const allowed = allowances[name];
    return allowed === null ? [] : [[scope, allowed] as const];
  });
  return { ...allowances, authSetting: Object.fromEntries(asked) };
}

export function permissionRoutes({ users, settings, now }: Deps): Route[] {
  /** Whether the person was prompted, and the resulting permission. `deny` answers a prompt that appears. */
  async function ask({ params, query }: Asked, { res }: CallContext, permission: Permission) {
    notesOf(res).person = params.name;
    const user = await userNamed(params.name, users);
    if (query.profile !== undefined)
      return { prompted: true, user: query.deny === undefined ? await users.touch(user) : undefined };
    const { column, promptsAgain } = permissions[permission];
    const consent = user[column];
    const prompted = consent === null || (consent === "denied" && promptsAgain);
    const allowed = prompted ? query.deny === undefined : consent === "allowed";
    if (prompted) await users.update(user.id, { [column]: toConsent(allowed) });
    return { prompted, user: allowed ? await users.touch(user) : undefined };
  }

  return [
    route(simGetUserInfo, async (input, context) => {
      const { prompted, user } = await ask(input, context, "userInfo");
      const isProfile = input.query.profile !== undefined;
      const name = isProfile ? "getUserProfile" : "getUserInfo";
      if (!user) return { data: { prompted, errMsg: `${name}:fail auth deny` } };
      const userInfo = publicInfo(user);
      const rawData = JSON.stringify(userInfo);
      const secret = {
        ...(!isProfile && { openId: user.openid }),
        ...userInfo,
        ...(!isProfile && user.unionid_mode !== "unbound" && { unionId: user.unionid }),
        ...watermark(testApp.app_id, now()),
      };
      const signature = signRawData(rawData, user.session_key);
      const encrypted = encryptOpenData(secret, user.session_key);
      return { data: { prompted, errMsg: `${name}:ok`, userInfo, rawData, signature, ...encrypted } };
    }),

    route(simGetPhoneNumber, async (input, context) => {
      const { prompted, user } = await ask(input, context, "phoneNumber");
      if (!user) return { data: { prompted, errMsg: "getPhoneNumber:fail user deny" } };
      const secret = { ...phoneInfo(user, settings.current()), ...watermark(testApp.app_id, now()) };
      const code = await users.issueCode(user.id, "phone");
      const encrypted = encryptOpenData(secret, user.session_key);
      return { data: { prompted, errMsg: "getPhoneNumber:ok", code, ...encrypted } };
    }),

    route(simGetLocation, async (input, context) => {
      const { prompted, user } = await ask(input, context, "location");
      if (!user) return { data: { prompted, errMsg: "getLocation:fail auth deny" } };
      const { latitude, longitude } = user;
      const position = { latitude, longitude, altitude: 0, speed: -1 };
      const accuracies = { accuracy: 65, horizontalAccuracy: 65, verticalAccuracy: 65 };
      return { data: { prompted, errMsg: "getLocation:ok", ...position, ...accuracies } };
    }),

    route(getSimAllowances, async ({ params: { name } }) => ({ data: view(await userViewOf(name, users)) })),

    route(changeSimAllowances, async ({ params: { name: person }, body: change }) => {
      const user = await userNamed(person, users);
      const columns = names.flatMap((name) => {
        const allowed = change[name];
        return allowed === undefined ? [] : [[permissions[name].column, toConsent(allowed)] as const];
      });
      return { data: view(columns.length === 0 ? user : await users.update(user.id, Object.fromEntries(columns))) };
    }),
  ];
}
