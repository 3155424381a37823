/** A person's permissions: the calls that request them, and the settings page (spec: Permission rules). */
import { Router, type Request } from "express";
import type { z } from "zod";
import {
  simAllowancesChangeSchema,
  type simAllowancesSchema,
  type simLocationSchema,
  type simPhoneNumberSchema,
  type simUserInfoSchema,
} from "../../contract/provider/provider.ts";
import { checkedBody } from "../../http/formats/checked-body.ts";
import type { Consent, SimUser } from "./identity-tables.ts";
import { encryptOpenData, phoneInfo, publicInfo, signRawData, watermark } from "./open-data.ts";
import { queryOf, userViewOf, userOf } from "./sim-request.ts";
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

export function permissionsApi({ users, settings, now }: Deps): Router {
  const router = Router();

  /** Whether the person was prompted, and the resulting permission. `?deny` answers a prompt that appears. */
  async function ask(req: Request<{ name: string }>, permission: Permission) {
    const user = await userOf(req, users);
    const { column, promptsAgain } = permissions[permission];
    const consent = user[column];
    const prompted = consent === null || (consent === "denied" && promptsAgain);
    const allowed = prompted ? !queryOf(req).has("deny") : consent === "allowed";
    if (prompted) await users.update(user.id, { [column]: toConsent(allowed) });
    return { prompted, user: allowed ? await users.touch(user) : undefined };
  }

  router.post("/users/:name/user-info", async (req, res) => {
    const { prompted, user } = await ask(req, "userInfo");
    if (!user) {
      res.json({ prompted, errMsg: "getUserInfo:fail auth deny" } satisfies z.input<typeof simUserInfoSchema>);
      return;
    }
    const userInfo = publicInfo(user);
    const rawData = JSON.stringify(userInfo);
    const secret = {
      openId: user.openid,
      ...userInfo,
      ...(user.unionid_mode !== "unbound" && { unionId: user.unionid }),
      ...watermark(testApp.app_id, now()),
    };
    res.json({
      prompted,
      errMsg: "getUserInfo:ok",
      userInfo,
      rawData,
      signature: signRawData(rawData, user.session_key),
      ...encryptOpenData(secret, user.session_key),
    } satisfies z.input<typeof simUserInfoSchema>);
  });

  router.post("/users/:name/phone-number", async (req, res) => {
    const { prompted, user } = await ask(req, "phoneNumber");
    if (!user) {
      res.json({ prompted, errMsg: "getPhoneNumber:fail user deny" } satisfies z.input<typeof simPhoneNumberSchema>);
      return;
    }
    const secret = { ...phoneInfo(user, await settings.get()), ...watermark(testApp.app_id, now()) };
    res.json({
      prompted,
      errMsg: "getPhoneNumber:ok",
      code: await users.issueCode(user.id, "phone"),
      ...encryptOpenData(secret, user.session_key),
    } satisfies z.input<typeof simPhoneNumberSchema>);
  });

  router.post("/users/:name/location", async (req, res) => {
    const { prompted, user } = await ask(req, "location");
    if (!user) {
      res.json({ prompted, errMsg: "getLocation:fail auth deny" } satisfies z.input<typeof simLocationSchema>);
      return;
    }
    const { latitude, longitude } = user;
    const position = { latitude, longitude, altitude: 0, speed: -1 };
    const accuracies = { accuracy: 65, horizontalAccuracy: 65, verticalAccuracy: 65 };
    res.json({ prompted, errMsg: "getLocation:ok", ...position, ...accuracies } satisfies z.input<
      typeof simLocationSchema
    >);
  });

  router.get("/users/:name/settings", async (req, res) => void res.json(view(await userViewOf(req, users))));
  router.patch("/users/:name/settings", async (req, res) => {
    const user = await userOf(req, users);
    const change = await checkedBody(req, simAllowancesChangeSchema);
    const columns = names.flatMap((name) => {
      const allowed = change[name];
      return allowed === undefined ? [] : [[permissions[name].column, toConsent(allowed)] as const];
    });
    const changed = columns.length === 0 ? user : await users.update(user.id, Object.fromEntries(columns));
    res.json(view(changed));
  });

  return router;
}
