/** The setting one_user_per_phone: a phone number is one user, whichever openid logs in. */
import { describe, expect, it } from "vitest";
import type { StatusPackage } from "../../../server/contract/app/status-package.ts";
import { startTestApp, type TestApp } from "../../support/app/test-app.ts";

const packageOf = async (response: Response) => ((await response.json()) as { status: StatusPackage }).status;

/** The person logs in with all steps; both have the number of `phone`. */
async function logIn(app: TestApp, name: string, phone_number: string): Promise<StatusPackage> {
  const person = `${app.provider.url}/sim/users/${name}`;
  const headers = { "Content-Type": "application/json" };
  await fetch(person, { method: "PATCH", headers, body: JSON.stringify({ phone_number }) });
  const { access_token } = await packageOf(await app.post(`${app.url}/api/sessions`, await app.sim(name, "login")));
  const token = { Authorization: `Bearer ${access_token}` };
  await app.post(`${app.url}/api/userinfos`, await app.sim(name, "user-info"), token);
  return packageOf(await app.post(`${app.url}/api/phonenumbers`, await app.sim(name, "phone-number"), token));
}
const publish = async (app: TestApp, { access_token }: StatusPackage, title: string) =>
  app.post(`${app.url}/api/articles`, { title, body: "text" }, { Authorization: `Bearer ${access_token}` });

describe("one_user_per_phone", () => {
  it("makes a new openid the user who has its phone number, at this login and at later ones", async () => {
    await using app = await startTestApp({ settings: { one_user_per_phone: true } });
    const first = await logIn(app, "work", "13800001111");
    expect((await publish(app, first, "mine")).status).toBe(201);
    const second = await logIn(app, "home", "13800001111");
    expect(second).toMatchObject({ uid: first.uid, has_phone: true, has_userinfo: true });
    expect((await logIn(app, "other", "13800002222")).uid).not.toBe(first.uid);

    // Both openids are that user from the first step on, and the sessions of both go on.
    for (const name of ["work", "home", "work"]) {
      const again = await packageOf(await app.post(`${app.url}/api/sessions`, await app.sim(name, "login")));
      expect(again.uid).toBe(first.uid);
    }
    expect((await publish(app, first, "from work")).status).toBe(201);
    expect((await publish(app, second, "from home")).status).toBe(201);
  });

  it("reads the data of the openid that logged in last", async () => {
    await using app = await startTestApp({ settings: { one_user_per_phone: true } });
    await logIn(app, "work", "13800001111");
    await logIn(app, "home", "13800001111");
    const { uid, access_token } = await logIn(app, "work", "13800003333");
    expect(uid).not.toBe("");
    const mine = await fetch(`${app.url}/api/phonenumbers/mine`, {
      headers: { Authorization: `Bearer ${access_token}` },
    });
    expect(((await mine.json()) as { data: object }).data).toMatchObject({ phone_number: "13800003333" });
  });

  it("is off by default: each openid is a user", async () => {
    await using app = await startTestApp();
    const first = await logIn(app, "work", "13800001111");
    expect((await logIn(app, "home", "13800001111")).uid).not.toBe(first.uid);
  });
});
