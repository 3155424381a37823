/** The platform tells another unionid of a user than before, as when the app has moved to another platform account. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestApp, type TestApp } from "../../support/app/test-app.ts";
import { recordedLog } from "../../support/quiet-log.ts";

const { lines, log } = recordedLog();
let app: TestApp;
beforeAll(async () => void (app = await startTestApp({ log })));
afterAll(() => app[Symbol.asyncDispose]());

const steps = {
  "a login": async (user: string) => void (await app.login(user)),
  "user info": async (user: string, headers: Record<string, string>) =>
    expect((await app.post(`${app.url}/api/userinfos`, await app.sim(user, "user-info"), headers)).ok).toBe(true),
};

it.each(Object.entries(steps))(
  "%s that tells another unionid keeps the stored one and warns without naming them",
  async (step, take) => {
    const user = step.replace(" ", "-");
    const headers = await app.loggedIn(user);
    await take(user, headers);
    const { openid, unionid } = (await (await fetch(`${app.provider.url}/sim/users/${user}`)).json()) as Record<
      string,
      string
    >;
    const own = () =>
      app.db
        .selectFrom("users")
        .selectAll()
        .where("openid", "=", openid ?? "")
        .executeTakeFirstOrThrow();
    const { id, session_key } = await own();
    expect([(await own()).unionid, lines.filter((line) => line.includes("unionid"))]).toEqual([unionid, []]);
    await app.db.updateTable("users").set({ unionid: "oU-of-before" }).where("id", "=", id).execute();
    await take(user, headers);
    expect((await own()).unionid).toBe("oU-of-before");
    const warnings = lines.splice(0).filter((line) => line.includes("unionid"));
    expect(warnings.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({
        level: 40,
        user_id: id,
        msg: expect.stringMatching(/another unionid .* keeps the stored one/),
      }),
    ]);
    for (const secret of [openid, unionid, "oU-of-before", session_key]) expect(warnings.join()).not.toContain(secret);
  },
);
