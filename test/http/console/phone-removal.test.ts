/** The app is removed from the console's phone: nothing that was under way comes after. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changeSimAllowances } from "../../../server/contract/provider/sim-people.ts";
import { startTestApp, type TestApp } from "../../support/app/test-app.ts";
import { consolePhone, shown } from "../../support/console/console-phone.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ settings: { phone_is_identity: false } });
});
afterAll(() => app[Symbol.asyncDispose]());

/** Holds up the calls of one path once, with their answers, until it is opened. */
function gate(path: string) {
  const arrived = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  return {
    arrived: arrived.promise,
    open: () => opened.resolve(),
    pass: async (send: () => Promise<Response>, to: string) => {
      const answer = await send();
      if (!to.endsWith(path)) return answer;
      arrived.resolve();
      await opened.promise;
      return answer;
    },
  };
}
const loggedOut = { opened: false, status: undefined, nickName: undefined, sheet: undefined };

describe("what is under way when the app is removed", () => {
  it.each([
    ["the request that a 401 answers", "/api/articles"],
    ["the login at the provider", "/login"],
    ["the login at the server", "/api/sessions"],
  ])("ends without a login: %s", async (_what, path) => {
    const held = gate(path);
    const { phone, held: stored } = consolePhone(app, "ada", { pass: held.pass });
    const ends = expect(phone.request("GET", "/api/articles")).rejects.toThrow("The app was removed.");
    await held.arrived;
    await phone.removeApp();
    const calls = phone.store.getState().entries.length;
    held.open();
    await ends;
    expect(stored).toEqual(new Map());
    expect(phone.store.getState()).toMatchObject(loggedOut);
    expect(phone.store.getState().entries).toHaveLength(calls);
  });

  it("ends while it waits for a slow network", async () => {
    const waiting = Promise.withResolvers<void>();
    const slow = Promise.withResolvers<void>();
    const { phone, held } = consolePhone(app, "ada", { wait: () => (waiting.resolve(), slow.promise) });
    phone.setNetwork("slow");
    const ends = expect(phone.request("GET", "/api/articles")).rejects.toThrow("The app was removed.");
    await waiting.promise;
    await phone.removeApp();
    slow.resolve();
    await ends;
    expect(held).toEqual(new Map());
    expect(phone.store.getState()).toMatchObject(loggedOut);
  });

  it("does not hinder the next app, which logs in anew", async () => {
    const held = gate("/api/sessions");
    const { phone } = consolePhone(app, "grace", { pass: held.pass });
    const ends = expect(phone.request("GET", "/api/articles")).rejects.toThrow("The app was removed.");
    await held.arrived;
    await phone.removeApp();
    const anew = phone.request("GET", "/api/articles");
    held.open();
    (await shown(phone, "userInfo")).answer(true);
    expect((await anew).status).toBe(200);
    await ends;
    expect(phone.store.getState().nickName).toEqual(expect.any(String));
  });
});

describe("removing the app", () => {
  it("leaves it as it is when the provider cannot forget the permissions", async () => {
    let isDown = true;
    const forgetting = changeSimAllowances.path.replace("{name}", "edsger");
    const { phone } = consolePhone(app, "edsger", {
      pass: (send, path, init) =>
        isDown && path.endsWith(forgetting) && init?.method === changeSimAllowances.method
          ? Promise.reject(new TypeError("fetch failed"))
          : send(),
    });
    phone.open();
    const location = phone.getLocation();
    const sheet = await shown(phone, "location");
    await expect(phone.removeApp()).rejects.toThrow();
    expect(phone.store.getState()).toMatchObject({ opened: true, sheet });
    sheet.answer(true);
    expect((await location).errMsg).toBe("getLocation:ok");
    isDown = false;
    await phone.removeApp();
    expect(phone.store.getState()).toMatchObject(loggedOut);
  });

  it("forgets a permission whose answer is on its way to the provider", async () => {
    const held = gate("/location");
    const { phone } = consolePhone(app, "barbara", { pass: held.pass });
    const location = phone.getLocation();
    (await shown(phone, "location")).answer(true);
    await held.arrived;
    const removed = phone.removeApp();
    held.open();
    await Promise.all([location, removed]);
    const anew = phone.getLocation();
    (await shown(phone, "location")).answer(true);
    expect((await anew).errMsg).toBe("getLocation:ok");
  });
});
