/** The permission rules, as the platform's client meets them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestProvider, type TestProvider } from "../../support/payments/test-provider.ts";

let provider: TestProvider;
let user = "";
let users = 0;
beforeAll(async () => {
  provider = await startTestProvider();
});
afterAll(() => provider[Symbol.asyncDispose]());

const newUser = () => (user = `person-${String(++users)}`);
const ask = (call: string) => provider.control("POST", `/users/${user}/${call}`);
const allow = (change: object) => provider.control("PATCH", `/users/${user}/settings`, change);
const allowances = () => provider.control("GET", `/users/${user}/settings`);

describe.each([
  ["user-info", "getUserInfo", "rawData", "userInfo"],
  ["phone-number", "getPhoneNumber", "encryptedData", "phoneNumber"],
])("%s", (path, name, data, permission) => {
  it(`${name} shows the prompt the first time, and after a rejection it shows it again when called`, async () => {
    newUser();
    for (let i = 0; i < 3; i++)
      expect(await ask(`${path}?deny`)).toEqual({ prompted: true, errMsg: expect.stringMatching(`^${name}:fail `) });
    expect(await ask(path)).toMatchObject({ prompted: true, errMsg: `${name}:ok`, [data]: expect.any(String) });
  });

  it("Once the user has allowed, the call returns data without a prompt", async () => {
    newUser();
    await ask(path);
    for (const again of [path, `${path}?deny`])
      expect(await ask(again)).toMatchObject({ prompted: false, errMsg: `${name}:ok`, [data]: expect.any(String) });
  });

  it("The user can change allowances in the app's settings page", async () => {
    newUser();
    await ask(path);
    await allow({ [permission]: false });
    expect(await ask(`${path}?deny`)).toMatchObject({ prompted: true });
    await allow({ [permission]: true });
    expect(await ask(`${path}?deny`)).toMatchObject({ prompted: false, errMsg: `${name}:ok` });
    await allow({ [permission]: null });
    expect(await ask(`${path}?deny`)).toMatchObject({ prompted: true });
  });
});

describe("location", () => {
  const position = { latitude: expect.any(Number), longitude: expect.any(Number), accuracy: expect.any(Number) };
  const refused = { prompted: false, errMsg: "getLocation:fail auth deny" };

  it("A location request prompts the first time, and returns data without a prompt after allowance", async () => {
    newUser();
    expect(await ask("location")).toMatchObject({ prompted: true, errMsg: "getLocation:ok", ...position });
    for (const again of ["location", "location?deny"])
      expect(await ask(again)).toMatchObject({ prompted: false, errMsg: "getLocation:ok", ...position });
  });

  it("after rejection it returns no data without a prompt, and the client must guide the user to the settings", async () => {
    newUser();
    expect(await ask("location?deny")).toEqual({ ...refused, prompted: true });
    for (const again of ["location", "location?deny", "location"]) expect(await ask(again)).toEqual(refused);
    expect(await allowances()).toMatchObject({ authSetting: { "scope.userLocation": false } });
    await allow({ location: true });
    expect(await ask("location")).toMatchObject({ prompted: false, errMsg: "getLocation:ok", ...position });
  });

  it("The user can change allowances in the app's settings page", async () => {
    newUser();
    await ask("location");
    await allow({ location: false });
    expect(await ask("location")).toEqual(refused);
    await allow({ location: null });
    expect(await ask("location")).toMatchObject({ prompted: true, errMsg: "getLocation:ok" });
  });

  it("returns where the person was placed", async () => {
    newUser();
    const place = { latitude: -33.856784, longitude: 151.215297 };
    await provider.control("PATCH", `/users/${user}`, place);
    expect(await ask("location")).toMatchObject(place);
    expect(await provider.user(user)).toMatchObject(place);
    const wrong = await provider.control("PATCH", `/users/${user}`, { latitude: 90.1 });
    expect(wrong).toMatchObject({ details: [{ field: "latitude" }] });
  });
});

describe("/sim/users/{name}/settings", () => {
  it("knows only what has been asked for, as the platform's getSetting does", async () => {
    newUser();
    const nothing = { userInfo: null, phoneNumber: null, location: null, authSetting: {} };
    expect(await allowances()).toEqual(nothing);
    await ask("user-info");
    await ask("phone-number?deny");
    const asked = { userInfo: true, phoneNumber: false, location: null, authSetting: { "scope.userInfo": true } };
    expect(await allowances()).toEqual(asked);
    await ask("location?deny");
    const all = { "scope.userInfo": true, "scope.userLocation": false };
    expect(await allowances()).toEqual({ ...asked, location: false, authSetting: all });
    expect(await allow({ userInfo: null, phoneNumber: null, location: null })).toEqual(nothing);
    expect(await allow({})).toEqual(nothing);
  });

  it("is one person's, and outlives a restart", async () => {
    await using own = await startTestProvider();
    await own.control("PATCH", "/users/one/settings", { location: false });
    await own.restart();
    expect(await own.control("GET", "/users/one/settings")).toMatchObject({ location: false });
    expect(await own.control("GET", "/users/two/settings")).toMatchObject({ location: null });
  });

  it("makes the union id known by an allowance, as consent does", async () => {
    newUser();
    expect(await provider.session(user)).not.toHaveProperty("unionid");
    await allow({ userInfo: true });
    expect(await provider.session(user)).toHaveProperty("unionid");
  });

  it.each([
    ["settings", { location: "yes" }, "location"],
    ["settings", { camera: true }, "camera"],
    ["", { userinfo_consent: "allowed" }, "userinfo_consent"],
  ])(
    "refuses a change of %s by %j with 400, naming the field: allowances are changed here only",
    async (to, change, field) => {
      newUser();
      const answer = await provider.control("PATCH", `/users/${user}/${to}`.replace(/\/$/, ""), change);
      expect(answer).toMatchObject({ code: "invalid_request", details: [{ field }] });
    },
  );
});
