import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createHearthClient,
  sendByFetch,
  type Detail,
} from "../../server/app/console/reference-client/hearth-client.ts";
import type { StatusPackage } from "../../server/contract/app/status-package.ts";
import { startTestApp, type TestApp } from "../support/app/test-app.ts";
import { bearer, bodyOf, describedServer, packageOf, send, type Wire } from "./spec-client.ts";

const server = describedServer();
let app: TestApp;
beforeAll(async () => (app = await server.start()));
afterAll(server.stop);

const articles = (headers: Record<string, string>) => send(`${app.url}/api/articles`, "GET", headers);
const simUser = async (name: string): Promise<Wire> => bodyOf(await fetch(`${app.provider.url}/sim/users/${name}`));

/** Every package that a user's way from the login to a business call shows. */
async function packagesOnTheWay(user: string): Promise<StatusPackage[]> {
  const first = await app.post(`${app.url}/api/sessions`, await app.sim(user, "login"));
  const status = await packageOf(first);
  const headers = bearer(status?.access_token ?? "");
  const replies = [
    await app.post(`${app.url}/api/userinfos`, await app.sim(user, "user-info"), headers),
    await app.post(`${app.url}/api/phonenumbers`, await app.sim(user, "phone-number"), headers),
    await articles(headers),
    await send(`${app.url}/api/articles`, "HEAD", headers),
    await send(`${app.url}/api/sessions/current`, "DELETE", headers),
  ];
  const rest = await Promise.all(replies.map(packageOf));
  return [status, ...rest].filter((one) => one !== undefined);
}

describe("Status package fields", () => {
  it("[Status package fields 1] access_token is a string in every package", async () => {
    const packages = await packagesOnTheWay("fields-1");
    expect(packages).toHaveLength(6);
    for (const { access_token } of packages) expect(access_token).toMatch(/^\S+$/);
  });

  it("[Status package fields 2] the validity is a number of seconds, which runs down to the 401", async () => {
    const { access_token, expires_in } = await app.login("fields-2");
    expect(expires_in).toBeGreaterThan(0);
    const current = () => send(`${app.url}/api/sessions/current`, "GET", bearer(access_token));
    app.clock.offsetMs += (expires_in - 60) * 1000;
    expect((await packageOf(await current()))?.expires_in).toBeLessThanOrEqual(60);
    app.clock.offsetMs += 61_000;
    expect((await current()).status).toBe(401);
  });

  it("[Status package fields 3] has_userinfo turns true with the user info, and is there only where it is needed", async () => {
    const [first, afterInfo] = await packagesOnTheWay("fields-3");
    expect([first?.has_userinfo, afterInfo?.has_userinfo]).toEqual([false, true]);
    await using without = await startTestApp({ settings: { require_userinfo: false } });
    expect(await without.login()).not.toHaveProperty("has_userinfo");
  });

  it("[Status package fields 3] has_userinfo is true where the login alone told the unionid", async () => {
    await send(`${app.provider.url}/sim/users/fields-3-follower`, "PATCH", {}, { follows_account: true });
    expect((await app.login("fields-3-follower")).has_userinfo).toBe(true);
  });

  it("[Status package fields 4] has_phone turns true with the phone number, and is there only where that is the identity", async () => {
    const [, afterInfo, afterPhone] = await packagesOnTheWay("fields-4");
    expect([afterInfo?.has_phone, afterPhone?.has_phone]).toEqual([false, true]);
    await using without = await startTestApp({ settings: { phone_is_identity: false } });
    expect(await without.login()).not.toHaveProperty("has_phone");
  });

  it("[Status package fields 5] uid is empty until the phone number is known, and has a value from then on", async () => {
    const [first, afterInfo, afterPhone, later] = await packagesOnTheWay("fields-5");
    expect([first?.uid, afterInfo?.uid]).toEqual(["", ""]);
    expect(afterPhone?.uid).toMatch(/./);
    expect(later?.uid).toBe(afterPhone?.uid);
  });

  it("[Status package fields 6] further fields stand beside the fixed ones, each of them described", async () => {
    const [first] = await packagesOnTheWay("fields-6");
    const description = await bodyOf(await fetch(`${app.url}/swagger/docs/v1`));
    const described = Object.keys(description.components.schemas.StatusPackage.properties);
    expect(Object.keys(first ?? {})).toEqual(expect.arrayContaining(["access_token", "uid"]));
    expect(described).toEqual(expect.arrayContaining(Object.keys(first ?? {})));
  });

  it("[Status package fields 7] a client that kept the package in its storage is known again without any step", async () => {
    const kept = new Map<string, string>();
    const asked: string[] = [];
    const ask = (step: string) => async () => {
      asked.push(step);
      return (await app.sim("fields-7", step)) as Detail & { code: string };
    };
    const client = () =>
      createHearthClient(app.url, {
        login: async () => (await ask("login")()).code,
        getUserInfo: ask("user-info"),
        getPhoneNumber: ask("phone-number"),
        send: sendByFetch,
        storage: { get: (key) => kept.get(key), set: (key, value) => void kept.set(key, value) },
      });
    await client().request("GET", "/api/articles");
    expect(asked).toEqual(["login", "user-info", "phone-number"]);
    asked.length = 0;
    expect((await client().request("GET", "/api/articles")).status).toBe(200);
    expect(asked).toEqual([]);
  });
});

describe("Status package", () => {
  it("[Status package 1] the token alone leads to what the server knows of the user", async () => {
    const headers = await app.loggedIn("rule-1");
    const phone = await bodyOf(await send(`${app.url}/api/phonenumbers/mine`, "GET", headers));
    expect(phone.data.phone_number).toBe((await simUser("rule-1")).phone_number);
    expect((await packageOf(await articles(headers)))?.uid).toBe(phone.status.uid);
  });

  it("[Status package 2] none of the secrets is in any package, neither by name nor by value", async () => {
    const packages = JSON.stringify(await packagesOnTheWay("rule-2"));
    const { openid, unionid, phone_number } = await simUser("rule-2");
    const { session_key } = await app.db
      .selectFrom("users")
      .select("session_key")
      .where("openid", "=", openid)
      .executeTakeFirstOrThrow();
    for (const secret of [session_key, openid, unionid, phone_number, "session_key", "openid", "unionid"])
      expect(packages).not.toContain(secret);
  });

  it("[Status package 3] the phone number is answered by its own call, and by no other", async () => {
    const headers = await app.loggedIn("rule-3");
    const { phone_number } = await simUser("rule-3");
    const own = await send(`${app.url}/api/phonenumbers/mine`, "GET", headers);
    expect((await bodyOf(own)).data.phone_number).toBe(phone_number);
    expect(await (await articles(headers)).text()).not.toContain(phone_number);
    expect(await (await send(`${app.url}/api/sessions/current`, "GET", headers)).text()).not.toContain(phone_number);
  });

  it("[Status package 4] where the phone number is not the identity, a filled uid says logged in", async () => {
    await using lax = await startTestApp({ settings: { phone_is_identity: false, require_userinfo: false } });
    const status = await lax.login();
    expect(Object.keys(status).sort()).toEqual(["access_token", "expires_in", "uid"]);
    expect(status.uid).toMatch(/./);
    expect((await send(`${lax.url}/api/articles`, "GET", bearer(status.access_token))).status).toBe(200);
  });

  it("[Status package 5] access_token and uid are named so, and the description names the rest", async () => {
    const description = await bodyOf(await fetch(`${app.url}/swagger/docs/v1`));
    const { properties, required } = description.components.schemas.StatusPackage;
    expect(required).toEqual(expect.arrayContaining(["access_token", "uid"]));
    for (const field of Object.values<Wire>(properties)) expect(field.description).toMatch(/./);
  });
});
