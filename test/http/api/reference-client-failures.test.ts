/** What the reference client makes of each way in which a step of the login can fail. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  createHearthClient,
  StepRefused,
  type Platform,
} from "../../../server/app/console/reference-client/hearth-client.ts";
import { simulatedPlatform } from "../../support/app/simulated-platform.ts";
import { consoleToken, startTestApp, type TestApp } from "../../support/app/test-app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const control = { Authorization: `Bearer ${consoleToken}` };
const armProvider = async (fault: object) =>
  expect((await app.post(`${app.provider.url}/sim/faults`, fault)).status).toBe(201);
const armServer = async (fault: object) =>
  expect((await app.post(`${app.url}/console/api/faults`, fault, control)).status).toBe(201);
afterEach(async () => {
  await fetch(`${app.provider.url}/sim/faults`, { method: "DELETE" });
  await fetch(`${app.url}/console/api/faults`, { method: "DELETE", headers: control });
});

let people = 0;
function somebody(changed: Partial<Platform> = {}) {
  const { platform, asked, refusing } = simulatedPlatform(app, `person-${++people}`, changed);
  const clientWith = (parts: Partial<Platform> = {}) => createHearthClient(app.url, { ...platform, ...parts });
  const request = async (client = clientWith()) => client.request("GET", "/api/articles");
  return { asked, refusing, clientWith, request };
}

const errcode = (call: string, errcode: number, times?: number) => ({
  kind: "identity_errcode",
  params: { calls: [call], errcode },
  ...(times !== undefined && { times }),
});
const allSteps = ["login", "user-info", "phone-number"];

describe("a step that the provider or the server does not take", () => {
  it.each([
    ["an unknown login code", errcode("jscode2session", 40029, 1), ["login", ...allSteps]],
    ["a used login code", errcode("jscode2session", 40163, 1), ["login", ...allSteps]],
    ["an unknown phone code", errcode("getuserphonenumber", 40029, 1), [...allSteps, "phone-number"]],
    ["a provider that is busy for a moment", errcode("jscode2session", -1, 2), allSteps],
    ["an outdated credential of the server", errcode("getuserphonenumber", 40001, 1), allSteps],
  ])("goes on after %s, with a code of its own for each try", async (_what, fault, steps) => {
    await armProvider(fault);
    const { request, asked } = somebody();
    expect((await request()).status).toBe(200);
    expect(asked).toEqual(steps);
  });

  it.each([
    ["login codes that are never known", errcode("jscode2session", 40029), 401, ["login", "login"]],
    ["a busy provider at the login", errcode("jscode2session", -1), 503, ["login"]],
    ["too many calls at the login", errcode("jscode2session", 45011), 503, ["login"]],
    ["a blocked user", errcode("jscode2session", 40226), 403, ["login"]],
    ["a wrong app id", errcode("jscode2session", 40013), 500, ["login"]],
    ["a server between that fails", { kind: "identity_http_status", params: { status: 502 } }, 503, ["login"]],
    ["a connection that is reset", { kind: "identity_reset" }, 503, ["login"]],
    ["an answer that breaks off", { kind: "identity_truncated" }, 503, ["login"]],
    ["phone codes that are never known", errcode("getuserphonenumber", 40029), 401, [...allSteps, "phone-number"]],
    ["a busy provider at the phone number", errcode("getuserphonenumber", 45011), 503, allSteps],
    ["a phone code of another user", errcode("getuserphonenumber", 40003), 403, allSteps],
  ])(
    "hands the server's answer to the caller after %s, and goes on when it is over",
    async (_what, fault, status, steps) => {
      await armProvider(fault);
      const { request, asked, clientWith } = somebody();
      const client = clientWith();
      expect(await request(client)).toMatchObject({
        status,
        body: { Message: expect.any(String), code: expect.any(String) },
      });
      expect(asked).toEqual(steps);
      await fetch(`${app.provider.url}/sim/faults`, { method: "DELETE" });
      expect((await request(client)).status).toBe(200);
    },
  );

  it.each([
    ["/api/sessions", ["login"]],
    ["/api/userinfos", ["login", "user-info"]],
    ["/api/phonenumbers", allSteps],
  ])("hands an outage at %s to the caller, as an answer or as the platform's error", async (path, steps) => {
    const { request, asked, clientWith } = somebody();
    const client = clientWith();
    await armServer({ path, status: 503, times: 1 });
    expect((await request(client)).status).toBe(503);
    expect(asked).toEqual(steps);
    await armServer({ path, abort: true, times: 1 });
    const failure = await request(client).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(TypeError);
    expect((await request(client)).status).toBe(200);
  });

  it("hands it to all who wait for the step", async () => {
    await armProvider(errcode("jscode2session", 40226));
    const { request, clientWith } = somebody();
    const client = clientWith();
    const responses = await Promise.all(Array.from({ length: 5 }, () => request(client)));
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 403));
  });

  it("says why after two tries, when the server asks for the login for ever", async () => {
    const { request, asked } = somebody({ send: async () => ({ status: 401, headers: {}, body: undefined }) });
    expect((await request()).status).toBe(401);
    expect(asked).toEqual(["login", "login"]);
  });
});

describe("a step that the user does not take", () => {
  it.each(["getUserInfo", "getPhoneNumber"] as const)(
    "is the refusal of %s, until the user allows it",
    async (step) => {
      const { request, refusing, clientWith } = somebody();
      const failure = await request(clientWith({ [step]: refusing[step] })).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(StepRefused);
      expect(failure).toMatchObject({ step, message: expect.stringContaining("deny") });
      expect((await request()).status).toBe(200);
    },
  );

  it.each([
    ["getPhoneNumber:fail user deny", true],
    ["getPhoneNumber:fail:user deny", true],
    ["getPhoneNumber:user deny", true],
    ["getPhoneNumber:fail auth denied", true],
    ["getPhoneNumber:fail cancel", true],
    ["getPhoneNumber:fail no permission", false],
    ["getPhoneNumber:fail system error", false],
    ["getUserInfo:ok", false],
  ])("takes %s as a refusal: %s", async (errMsg, isRefusal) => {
    const { request, clientWith } = somebody();
    const failure = await request(clientWith({ getPhoneNumber: async () => ({ errMsg }) })).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ message: errMsg });
    expect(failure instanceof StepRefused).toBe(isRefusal);
  });

  it("hands on the platform's own error of a login", async () => {
    const offline = new Error("login:fail timeout");
    const { request } = somebody({ login: () => Promise.reject(offline) });
    await expect(request()).rejects.toBe(offline);
  });
});
