import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestApp, type TestApp } from "../support/app/test-app.ts";
import { bodyOf, send, type Wire } from "./spec-client.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

/** A call of a person's client, by `?deny` with a rejection if a prompt is shown. */
const ask = async (user: string, call: string): Promise<Wire> =>
  bodyOf(await app.post(`${app.provider.url}/sim/users/${user}/${call}`));
const change = (user: string, settings: object) =>
  send(`${app.provider.url}/sim/users/${user}/settings`, "PATCH", {}, settings);

const calls = [
  ["user-info", "getUserInfo", "userInfo"],
  ["phone-number", "getPhoneNumber", "phoneNumber"],
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

  it("[Permission rules 4] a location request gives data without a prompt once it is allowed", async () => {
    expect(await ask("moving", "location")).toMatchObject({ prompted: true, errMsg: "getLocation:ok" });
    for (const again of ["location", "location?deny"])
      expect(await ask("moving", again)).toMatchObject({ prompted: false, latitude: expect.any(Number) });
  });

  it("[Permission rules 5] after a rejection, a location request gives nothing and does not prompt", async () => {
    expect(await ask("hiding", "location?deny")).toMatchObject({ prompted: true });
    for (let i = 0; i < 2; i++)
      expect(await ask("hiding", "location")).toEqual({ prompted: false, errMsg: "getLocation:fail auth deny" });
  });

  it("[Permission rules 6] a location request follows what the user changes in the settings", async () => {
    await ask("settling", "location?deny");
    await change("settling", { location: true });
    expect(await ask("settling", "location")).toMatchObject({ prompted: false, errMsg: "getLocation:ok" });
    await change("settling", { location: false });
    expect(await ask("settling", "location")).toMatchObject({ prompted: false, errMsg: "getLocation:fail auth deny" });
  });

  it.each(calls)(
    "[Permission rules 6] %s follows what the user changes in the settings",
    async (path, call, setting) => {
      await ask("changing", path);
      await change("changing", { [setting]: false });
      expect(await ask("changing", `${path}?deny`)).toMatchObject({ prompted: true });
      await change("changing", { [setting]: true });
      expect(await ask("changing", path)).toMatchObject({ prompted: false, errMsg: `${call}:ok` });
    },
  );
});
