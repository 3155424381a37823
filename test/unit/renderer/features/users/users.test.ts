import { describe, expect, it } from "vitest";
import { loginLights } from "../../../../../renderer/features/users/login-states.ts";
import { countdownText, nextCall, uidOfPerson, userRows } from "../../../../../renderer/features/users/user-rows.ts";
import type { ConsoleSession, ConsoleUser } from "../../../../../server/contract/console/console-users.ts";
import type { SimPerson } from "../../../../../server/contract/provider/sim-people.ts";

const person = (name: string) => ({ name }) as SimPerson;
const user = (id: number, name?: string) =>
  ({ id, uid: `u${String(id)}`, ...(name !== undefined && { person: name }) }) as ConsoleUser;

describe("The list of users", () => {
  it("shows a person who is a user once, and those who never logged in at the end", () => {
    const rows = userRows([user(2, "bob"), user(1)], [person("ada"), person("bob")], { complete: true });
    expect(rows.map(({ key, name, person: known }) => [key, name, known?.name])).toEqual([
      ["u2", "bob", "bob"],
      ["u1", "u1", undefined],
      ["@ada", "ada", "ada"],
    ]);
  });

  it("leaves out people who may be on a page of users not fetched yet, and those who do not match the search", () => {
    const people = [person("ada"), person("adam"), person("bob")];
    expect(userRows([user(2)], people, { complete: false })).toHaveLength(1);
    expect(userRows([], people, { complete: true, text: "DA" }).map(({ name }) => name)).toEqual(["ada", "adam"]);
  });
});

describe("The user that a person is", () => {
  it("is none for somebody who never logged in, and for nobody, whatever users of no person there are", () => {
    const rows = userRows([user(1), user(2, "bob")], [person("ada"), person("bob")], { complete: true });
    expect(["bob", "ada", "eve", undefined].map((name) => uidOfPerson(rows, name))).toEqual([
      "u2",
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("The shown answer to a session's next call", () => {
  const session = (next_step?: ConsoleSession["next_step"]) =>
    ({ expires_at: "2026-11-20T08:00:00.000Z", ...(next_step && { next_step }) }) as ConsoleSession;
  const end = Date.parse("2026-11-20T08:00:00.000Z");

  it("follows the session's state, and the clock", () => {
    expect(nextCall(undefined, end)).toEqual({ step: "Bearer", reason: "noSession" });
    expect(nextCall(session(), end - 1)).toEqual({ step: undefined, reason: "passes" });
    expect(nextCall(session("getPhoneNumber"), end - 1)).toEqual({ step: "getPhoneNumber", reason: "phone" });
    expect(nextCall(session("getPhoneNumber"), end)).toEqual({ step: "Bearer", reason: "expired" });
  });
});

describe("A countdown", () => {
  it("ends at zero, not before the time is over", () => {
    expect([7_145_000, 59_001, 1, 0, -5].map(countdownText)).toEqual(["1:59:05", "1:00", "0:01", "0:00", "0:00"]);
  });
});

describe("The lights of a login", () => {
  const known = { has_userinfo: true, has_unionid: false, has_phone: true };
  const unknown = { has_userinfo: false, has_unionid: false, has_phone: false };
  it.each([
    ["nothing yet", undefined, undefined, false, ["asked", "off", "off"]],
    ["a token alone", unknown, { next_step: "getUserInfo" }, false, ["on", "asked", "off"]],
    ["no phone yet", { ...known, has_phone: false }, { next_step: "getPhoneNumber" }, false, ["on", "on", "asked"]],
    [
      "a unionid instead of user info",
      { ...unknown, has_unionid: true },
      { next_step: "getPhoneNumber" },
      false,
      ["on", "on", "asked"],
    ],
    ["all of it", known, {}, false, ["on", "on", "on"]],
    ["an expired token", known, {}, true, ["asked", "on", "on"]],
    ["steps that no setting asks for", unknown, {}, false, ["on", "off", "off"]],
  ] as const)("show what is there and what is asked for next: %s", (_, user, session, isOver, lights) => {
    expect(Object.values(loginLights(user, session, isOver))).toEqual(lights);
  });
});
