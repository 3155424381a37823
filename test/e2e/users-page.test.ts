/** The page of users in the window: what the console does to a session is what the client's next call meets. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { intercept, undo, violationsOf } from "../support/console/console-page.ts";
import { logIn } from "../support/console/console-scene.ts";
import { openWindow, type HearthWindow } from "../support/console/window.ts";

let window: HearthWindow;
let ada: Record<string, string>;

beforeAll(async () => {
  window = await openWindow();
  ada = await logIn(window.addresses, "ada");
  await fetch(`${window.addresses.provider}/sim/users/zoe`, { method: "PATCH" });
  await window.open("Users");
});
afterAll(() => window[Symbol.asyncDispose]());

const nextCall = async (headers: Record<string, string>) => {
  const { status, headers: got } = await fetch(`${window.addresses.app}/api/articles`, { headers });
  return [status, got.get("www-authenticate")];
};
const table = () => window.page.getByRole("grid", { name: "Users" });
const row = (text: string | RegExp) => table().getByRole("row").filter({ hasText: text });
const inspector = (name = "ada") => window.page.getByRole("region", { name, exact: true });
const press = (name: string) => inspector().getByRole("button", { name, exact: true }).first().click();

describe("The page of users", () => {
  it("shows who has logged in and who never has, and the answer to the next call of each", async () => {
    await row(/^adau1Passes1:5\d:\d\d1/).waitFor();
    await row(/^zoe–401 Bearer/).waitFor();
    expect(await nextCall(ada)).toEqual([200, null]);
  });

  it("says how many users a search finds, of how many, and clears it by one button", async () => {
    const { page } = window;
    await page.getByRole("textbox", { name: "Search names and uids" }).fill("zo");
    await page.getByText("1 of 2", { exact: true }).waitFor();
    expect(await row(/^ada/).count()).toBe(0);
    await page.getByRole("button", { name: "Clear all filters" }).click();
    await page.getByText("1 has logged in", { exact: true }).waitFor();
    await row(/^ada/).waitFor();
  });

  it("does not say how many rows there are while it has not got all", async () => {
    const { page } = window;
    const older = Promise.withResolvers<void>();
    const end = await intercept(page, /\/console\/api\/users\?/, async (route) => {
      if (new URL(route.request().url()).searchParams.has("before")) await older.promise;
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), has_more: true } });
    });
    await page.reload();
    await expect.poll(() => table().getAttribute("aria-rowcount")).toBe("-1");
    end();
    older.resolve();
    await page.reload();
    await expect.poll(() => table().getAttribute("aria-rowcount")).toBe("3");
  });

  it("counts a token's time down", async () => {
    const left = row(/^ada/).getByRole("time").first();
    const before = await left.textContent();
    await expect.poll(() => left.textContent()).not.toBe(before);
  });

  it("lets a session expire, and takes that back", async () => {
    await row(/^ada/).click();
    await inspector().getByRole("radiogroup", { name: "Location" }).waitFor();
    await expect.poll(() => violationsOf(window.page), { interval: 200 }).toEqual([]);
    await undo(window.page, async () => {
      await press("Expire");
      await row(/401 Bearer0:00/).waitFor();
      expect(await nextCall(ada)).toEqual([401, "Bearer"]);
    });
    await row(/Passes1:5\d/).waitFor();
    expect(await nextCall(ada)).toEqual([200, null]);
  });

  it("forgets the phone number and the user info, so that the client is asked for them", async () => {
    await press("Forget phone");
    await row(/401 getPhoneNumber/).waitFor();
    await inspector().getByText("The phone number is missing.").waitFor();
    expect(await nextCall(ada)).toEqual([401, "getPhoneNumber"]);
    const lights = inspector().getByRole("list", { name: "Login" }).getByRole("listitem");
    await expect
      .poll(() => lights.allTextContents())
      .toEqual(["Sessionvalid token", "User info or unionidobtained", "Phonenext step: 401 getPhoneNumber"]);
    await press("Forget user info and unionid");
    await row(/401 getUserInfo/).waitFor();
    expect(await nextCall(ada)).toEqual([401, "getUserInfo"]);
  });

  it("logs a person in: the session's token is copied, never shown, and works", async () => {
    const copied = () => window.electron.evaluate(({ clipboard }) => clipboard.readText());
    await window.electron.evaluate(({ clipboard }) => clipboard.clear());
    await press("Log in");
    await inspector().getByRole("button", { name: "Copy session token" }).click();
    await expect.poll(copied).not.toBe("");
    const token = await copied();
    expect(await nextCall({ authorization: `Bearer ${token}` })).toEqual([200, null]);
    expect(await window.page.content()).not.toContain(token);
    await inspector().getByRole("link", { name: "Session 2" }).waitFor();
    await row(/Passes/).waitFor();

    await press("Revoke");
    await inspector().getByRole("link", { name: "Session 2" }).waitFor({ state: "detached" });
    expect(await nextCall({ authorization: `Bearer ${token}` })).toEqual([401, "Bearer"]);
    expect(await nextCall(ada)).toEqual([200, null]);
  });

  it("bans the address that a user's requests came from, and lifts the ban", async () => {
    await press("Ban");
    await inspector().getByText("403").waitFor();
    expect((await nextCall(ada))[0]).toBe(403);
    await window.page.getByRole("button", { name: "Bans: 1" }).click();
    await window.page.getByRole("dialog").getByRole("button", { name: "Lift" }).click();
    await window.page.getByRole("button", { name: "Bans", exact: true }).waitFor();
    expect(await nextCall(ada)).toEqual([200, null]);
    const address = window.page.getByRole("dialog").getByRole("textbox");
    await address.fill("no address");
    await address.press("Enter");
    const refusal = window.page.getByRole("alert").filter({ hasText: "Failed: " });
    await refusal.waitFor();
    expect(await address.inputValue()).toBe("no address");
    await window.page.keyboard.press("Escape");
    await refusal.getByRole("button", { name: "Close" }).click();
  });

  it("adds a simulated person, whose denial the client's call meets", async () => {
    const { page } = window;
    await page.getByRole("button", { name: "Add person" }).click();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("no spaces");
    expect(await page.getByRole("dialog").getByRole("button", { name: "Add person" }).isDisabled()).toBe(true);
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("grace");
    await page.getByRole("dialog").getByRole("button", { name: "Add person" }).click();
    await inspector("grace").getByRole("radiogroup", { name: "Location" }).getByText("Denied").click();
    await expect
      .poll(async () => {
        const reply = await fetch(`${window.addresses.provider}/sim/users/grace/settings`);
        return ((await reply.json()) as { location: unknown }).location;
      })
      .toBe(false);
    const asked = await fetch(`${window.addresses.provider}/sim/users/grace/location`, { method: "POST" });
    expect(await asked.json()).toMatchObject({ prompted: false, errMsg: "getLocation:fail auth deny" });
    expect(new URL(page.url()).searchParams.get("person")).toBe("grace");
  });

  it("shows the sessions of a person whom a first login has made a user, beside that login's token", async () => {
    await inspector("grace").getByRole("button", { name: "Log in" }).click();
    await inspector("grace")
      .getByRole("link", { name: /^Session / })
      .waitFor();
    await inspector("grace").getByRole("button", { name: "Copy session token" }).waitFor();
    expect(await row(/^grace/).getAttribute("aria-selected")).toBe("true");
  });

  it("leads from a user to the requests, and from a request back to the user", async () => {
    const { page } = window;
    await row(/^ada/).click();
    await inspector().getByRole("link", { name: "Requests" }).click();
    await page
      .getByRole("grid", { name: "Requests" })
      .getByRole("row")
      .filter({ hasText: "/api/articles" })
      .first()
      .click();
    await page.getByRole("link", { name: "User u1" }).click();
    await inspector().getByText("Permissions").waitFor();
    expect(new URL(page.url()).searchParams.get("user")).toBe("u1");
  });
});
