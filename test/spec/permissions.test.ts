import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestApp, type TestApp } from "../support/test-app.ts";
import { bodyOf, send, type Wire } from "./spec-client.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

/** A call of a person's client, by `?deny` with a rejection if a prompt is shown. */
const ask = async (user: string, call: string): Promise<Wire> =>
  bodyOf(await app.post(`${app.provider.url}/sim/users/${user}/${call}`));
const change = (user: string, settings: object) => send(`${app.provider.url}/sim/users/${user}`, "PATCH", {}, settings);

const calls = [
  ["user-info", "getUserInfo", "userinfo_consent"],
  ["phone-number", "getPhoneNumber", "phone_consent"],
] as const;

describe("Permission rules", () => {
  it.each(calls)("[Permission rules 1] %s prompts the first time", async (path, call) => {
    expect(await ask("first", path)).toMatchObject({ prompted: true, errMsg: `${call}:ok` });
  });

  it.each(calls)("[Permission rules 2] %s prompts again after a rejection, which gives no data", async (path, call) => {
    for (let i = 0; i < 2; i++) {
      const rejected = await ask("rejecting", `${path}?deny`);
      expect(rejected).toEqual({ prompted: true, errMsg: expect.stringMatching(`^${call}:fail`) });
    }
    expect(await ask("rejecting", path)).toMatchObject({ prompted: true, errMsg: `${call}:ok` });
  });

  it.each(calls)("[Permission rules 3] %s gives data without a prompt once it is allowed", async (path, call) => {
    await ask("allowing", path);
    for (const again of [path, `${path}?deny`])
      expect(await ask("allowing", again)).toMatchObject({ prompted: false, errMsg: `${call}:ok` });
  });

  it.each(calls)(
    "[Permission rules 6] %s follows what the user changes in the settings",
    async (path, call, setting) => {
      await ask("changing", path);
      await change("changing", { [setting]: "denied" });
      expect(await ask("changing", `${path}?deny`)).toMatchObject({ prompted: true });
      await change("changing", { [setting]: "allowed" });
      expect(await ask("changing", path)).toMatchObject({ prompted: false, errMsg: `${call}:ok` });
    },
  );
});
