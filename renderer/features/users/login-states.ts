import type { ConsoleSession, ConsoleUser } from "../../../server/contract/console/console-users.ts";

/** `asked`: the next 401 asks for it. */
export type Light = "on" | "asked" | "off";
export type LightName = "token" | "userinfo" | "phone";

/** The parts of a login that exist. `isOver`: the session has expired. */
export function loginLights(
  user: Pick<ConsoleUser, "has_userinfo" | "has_unionid" | "has_phone"> | undefined,
  session: Pick<ConsoleSession, "next_step"> | undefined,
  isOver: boolean,
): Record<LightName, Light> {
  const step = session && !isOver ? session.next_step : "Bearer";
  const light = (there: boolean | undefined, asks: ConsoleSession["next_step"]): Light =>
    step === asks ? "asked" : there === true ? "on" : "off";
  return {
    token: step === "Bearer" ? "asked" : "on",
    userinfo: light(user && (user.has_userinfo || user.has_unionid), "getUserInfo"),
    phone: light(user?.has_phone, "getPhoneNumber"),
  };
}
