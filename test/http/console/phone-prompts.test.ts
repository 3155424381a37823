/** The prompts of the console's phone: a person is shown one at a time, and each comes to an end. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SimulatedPhone } from "../../../renderer/features/phone/phone.ts";
import { startTestApp, type TestApp } from "../../support/app/test-app.ts";
import { consolePhone, shown } from "../../support/console/console-phone.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const phoneOf = (user: string): SimulatedPhone => consolePhone(app, user).phone;
const questions = (phone: SimulatedPhone) =>
  phone.store.getState().entries.flatMap((entry) => (entry.kind === "question" ? [[entry.about, entry.answer]] : []));

describe("the prompts of the phone", () => {
  it("come one after the other, whatever asks, and each gets its answer", async () => {
    const phone = phoneOf("ada");
    const articles = phone.request("GET", "/api/articles");
    const userInfo = await shown(phone, "userInfo");
    const location = phone.getLocation();
    const payment = phone.requestPayment({}, { amount: 100, description: "tea" });
    expect(phone.store.getState().sheet).toBe(userInfo);
    userInfo.answer(true);
    (await shown(phone, "location")).answer(false);
    (await shown(phone, "payment")).answer("cancel");
    (await shown(phone, "phoneNumber")).answer(true);
    expect((await articles).status).toBe(200);
    expect((await location).errMsg).toBe("getLocation:fail auth deny");
    expect(await payment).toContain("requestPayment:fail");
    expect(phone.store.getState().sheet).toBeUndefined();
    expect(questions(phone)).toEqual([
      ["userInfo", "allowed"],
      ["location", "denied"],
      ["payment", "cancel"],
      ["phoneNumber", "allowed"],
    ]);
  });

  it("are not shown again for what the person has just answered", async () => {
    const phone = phoneOf("grace");
    const both = Promise.all([phone.getLocation(), phone.getLocation()]);
    (await shown(phone, "location")).answer(true);
    expect((await both).map(({ errMsg }) => errMsg)).toEqual(["getLocation:ok", "getLocation:ok"]);
    expect(questions(phone)).toEqual([["location", "allowed"]]);
  });

  it("end when the app is removed, with those that wait, and the next app asks anew", async () => {
    const phone = phoneOf("edsger");
    const ends = [phone.getLocation(), phone.requestPayment({}, { amount: 100, description: "tea" })].map((prompted) =>
      expect(prompted).rejects.toThrow("The app was removed."),
    );
    await shown(phone, "location");
    await phone.removeApp();
    await Promise.all(ends);
    expect(phone.store.getState()).toMatchObject({ opened: false, sheet: undefined });
    expect(questions(phone)).toEqual([["location", "cancel"]]);

    const anew = phone.getLocation();
    (await shown(phone, "location")).answer(true);
    expect((await anew).errMsg).toBe("getLocation:ok");
  });

  it("go on after a call that fails", async () => {
    const phone = phoneOf("barbara");
    phone.setNetwork("offline");
    const failing = expect(phone.getLocation()).rejects.toThrow(/^request:fail/);
    (await shown(phone, "location")).answer(true);
    await failing;
    phone.setNetwork("good");
    const again = phone.getLocation();
    (await shown(phone, "location")).answer(true);
    expect((await again).errMsg).toBe("getLocation:ok");
  });
});
