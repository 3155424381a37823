/** The page of faults in the window: what is added there goes wrong at once, and each time is counted. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { undo, violationsOf } from "../support/console/console-page.ts";
import { logIn } from "../support/console/console-scene.ts";
import { openWindow, type HearthWindow } from "../support/console/window.ts";

let window: HearthWindow;
let ada: Record<string, string>;

beforeAll(async () => {
  window = await openWindow();
  ada = await logIn(window.addresses, "ada");
  await window.open("Faults");
});
afterAll(() => window[Symbol.asyncDispose]());

const row = (text: string | RegExp) =>
  window.page.getByRole("grid", { name: "Armed faults" }).getByRole("row").filter({ hasText: text });
const hitsOf = (text: string | RegExp) => row(text).locator("[data-hit]").textContent();
const form = () => window.page.getByRole("form", { name: "Add fault" });
const expectAccessible = () => expect.poll(() => violationsOf(window.page), { interval: 200 }).toEqual([]);

async function begin(kind: string): Promise<void> {
  await window.page.getByRole("button", { name: "Add fault" }).first().click();
  await form().getByRole("combobox", { name: "Situation" }).selectOption(kind);
}
const add = () => form().getByRole("button", { name: "Add fault" }).click();
/** Waits for both: the row may come before the answer that closes the form. */
async function isAdded(text: RegExp): Promise<void> {
  await row(text).waitFor();
  await form().waitFor({ state: "detached" });
}

async function payAnOrder(): Promise<void> {
  const { app, provider } = window.addresses;
  const headers = { ...ada, "Content-Type": "application/json" };
  const body = JSON.stringify({ description: "Two tickets", amount: 101 });
  const placed = await fetch(`${app}/api/orders`, { method: "POST", headers, body });
  const { data } = (await placed.json()) as { data: { out_trade_no: string } };
  await fetch(`${provider}/sim/orders/${data.out_trade_no}/pay`, { method: "POST" });
}

const card = (question: string) => window.page.getByRole("article", { name: question });

describe("The questions", () => {
  it("arm a fault by one click, show for what, and count what it hit over the requests", async () => {
    await expectAccessible();
    const overloaded = card("What if my server is overloaded?");
    await overloaded.getByRole("switch").click();
    await overloaded.getByText("Armed for /api/**").waitFor();
    await overloaded.getByText("No hits yet").waitFor();
    const ask = async () => (await fetch(`${window.addresses.app}/api/articles`, { headers: ada })).status;
    expect([await ask(), await ask()]).toEqual([503, 200]);
    await overloaded.getByText("1 of 1 hit", { exact: true }).waitFor();
    await overloaded.getByRole("img", { name: /^1 hit among the requests/ }).waitFor();
    await expectAccessible();
    expect(await overloaded.getByRole("switch").isChecked()).toBe(false);
    await overloaded.getByRole("button", { name: "Arm again" }).click();
    await overloaded.getByText("No hits yet").waitFor();
    await overloaded.getByRole("switch").click();
    await overloaded.getByText("Armed for /api/**").waitFor({ state: "detached" });
    expect(await ask()).toBe(200);
  });

  it("offer several ways for a fault, and show one that was armed elsewhere", async () => {
    const twice = card("What if the notification comes twice?");
    await twice.getByRole("combobox").selectOption("Five at the same time");
    await twice.getByRole("switch").click();
    await twice.getByText("Armed for everything").waitFor();
    const faults = async () =>
      ((await (await fetch(`${window.addresses.provider}/sim/faults`)).json()) as { faults: object[] }).faults;
    expect(await faults()).toMatchObject([{ kind: "notification_duplicate", params: { copies: 5, concurrent: true } }]);
    await fetch(`${window.addresses.provider}/sim/faults`, { method: "DELETE" });
    await twice.getByText("Armed for everything").waitFor({ state: "detached" });
  });

  it("are found by their words", async () => {
    const { page } = window;
    await page.getByRole("textbox", { name: "Find a question" }).fill("refund");
    await card("What if a refund never completes?").waitFor();
    await card("What if the login is slow?").waitFor({ state: "detached" });
    await page.getByRole("textbox", { name: "Find a question" }).fill("");
    await card("What if the login is slow?").waitFor();
    await page.getByRole("radiogroup", { name: "View" }).getByText("Advanced").click();
  });
});
const armed = (count: number) =>
  window.page.getByRole("link", { name: `${String(count)} ${count === 1 ? "fault" : "faults"} armed` });

describe("The page of faults", () => {
  it("teaches the command that would add the first one", async () => {
    await window.page.getByText(`curl ${window.addresses.provider}/sim/faults`).waitFor();
    await expectAccessible();
  });

  it("makes a form of a kind's schema, and says at the field what is wrong", async () => {
    await begin("wrong_amount");
    await form().getByText("Difference in fen.").waitFor();
    await expectAccessible();
    await add();
    await form().getByText("set by (not 0) or currency: otherwise the amount is right").waitFor();
    const by = form().getByRole("textbox", { name: "by", exact: true });
    await by.fill("-1");
    await by.press("Escape");
    await window.page.getByRole("dialog", { name: "Discard" }).getByRole("button", { name: "Cancel" }).click();
    expect(await by.inputValue()).toBe("-1");
    await add();
    await isAdded(/wrong_amount.*by -1/);
    expect(await hitsOf("wrong_amount")).toBe("0");
  });

  it("counts a hit of the platform's fault while the page is open", async () => {
    await payAnOrder();
    await expect.poll(() => hitsOf("wrong_amount")).not.toBe("0");
  });

  it("adds a fault of routes, which answers in place of the server so often and no more", async () => {
    await begin("route");
    await form().getByRole("textbox", { name: "path" }).fill("/api/articles");
    await form().getByRole("textbox", { name: "status" }).fill("503");
    await form().getByRole("textbox", { name: "times" }).fill("1");
    await add();
    await isAdded(/\/api\/articles.*status 503/);
    const answers = [];
    for (let call = 0; call < 2; call++)
      answers.push((await fetch(`${window.addresses.app}/api/articles`, { headers: ada })).status);
    expect(answers).toEqual([503, 200]);
    await expect.poll(() => hitsOf("/api/articles")).toBe("1 / 1");
    await row("/api/articles").getByRole("img", { name: "Used up" }).waitFor();
  });

  it("shows those of one place, finds by text, and keeps both in the address", async () => {
    const { page } = window;
    const places = page.getByRole("radiogroup", { name: "Area" });
    await places.getByText("HTTP routes").click();
    await row("wrong_amount").waitFor({ state: "detached" });
    expect(new URL(page.url()).searchParams.get("origin")).toBe("route");
    await places.getByText("All").click();
    await page.getByRole("textbox", { name: "Kind, parameter or order" }).fill("wrong");
    await row("/api/articles").waitFor({ state: "detached" });
    await page.getByRole("textbox", { name: "Kind, parameter or order" }).fill("");
    await row("/api/articles").waitFor();
  });

  it("removes one, which can be undone, and all after asking once", async () => {
    const { page } = window;
    await undo(page, async () => {
      await page.getByRole("button", { name: "Remove wrong_amount" }).click();
      await row("wrong_amount").waitFor({ state: "detached" });
    });
    await row("wrong_amount").waitFor();
    await expectAccessible();
    await page.getByRole("button", { name: "Clear all" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Clear all" }).click();
    await page.getByText("No faults armed").waitFor();
    const left = (await (await fetch(`${window.addresses.provider}/sim/faults`)).json()) as { faults: unknown[] };
    expect(left.faults).toEqual([]);
  });

  it("is remembered on every other page: what is armed is told there, disarmed there, and brought back", async () => {
    const { page, addresses } = window;
    for (const by of [-1, 1])
      await fetch(`${addresses.provider}/sim/faults`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ kind: "wrong_amount", params: { by } }),
      });
    await window.open("Settings");
    await armed(2).waitFor();
    await expectAccessible();
    await undo(page, async () => {
      await page.getByRole("button", { name: "Disarm" }).click();
      await armed(2).waitFor({ state: "detached" });
    });
    await armed(2).waitFor();
    await page.getByRole("button", { name: "Disarm" }).click();
    await armed(2).waitFor({ state: "detached" });
  });
});
