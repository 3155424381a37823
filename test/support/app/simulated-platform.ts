/** The platform of the reference client, with a simulated person at it. */
import { sendByFetch, type Detail, type Platform } from "../../../server/app/console/reference-client/hearth-client.ts";
import type { TestApp } from "./test-app.ts";

/** @returns the platform, what was asked of it, what it keeps, and its calls of a person who refuses */
export function simulatedPlatform(app: TestApp, user: string, changed: Partial<Platform> = {}) {
  const kept = new Map<string, string>();
  const asked: string[] = [];
  const detail =
    (step: string, query = "") =>
    async () => {
      asked.push(step);
      return (await (await app.post(`${app.provider.url}/sim/users/${user}/${step}${query}`)).json()) as Detail;
    };
  const platform: Platform = {
    async login() {
      asked.push("login");
      return ((await app.sim(user, "login")) as { code: string }).code;
    },
    getUserInfo: detail("user-info"),
    getPhoneNumber: detail("phone-number"),
    send: sendByFetch,
    storage: { get: (key) => kept.get(key), set: (key, value) => void kept.set(key, value) },
    ...changed,
  };
  const refusing = {
    getUserInfo: detail("user-info", "?deny"),
    getPhoneNumber: detail("phone-number", "?deny"),
  };
  return { platform, asked, kept, refusing };
}
