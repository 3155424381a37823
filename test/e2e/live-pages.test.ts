/** What is going on, in pictures: the live map, the waterfall, the bars over time, and names of things, in the window. */
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { violationsOf } from "../support/console/console-page.ts";
import { consoleOf, fillConsole } from "../support/console/console-scene.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { openWindow, type HearthWindow } from "../support/console/window.ts";

const folder = temporaryFolder();
let window: HearthWindow;
let made: Awaited<ReturnType<typeof fillConsole>>;

beforeAll(async () => {
  window = await openWindow();
});
afterAll(async () => {
  await window[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const page = () => window.page;
const expectAccessible = () => expect.poll(() => violationsOf(page()), { interval: 200 }).toEqual([]);
const address = () => new URL(page().url()).searchParams;
const region = (name: string | RegExp) => page().getByRole("region", { name });

describe("The overview", () => {
  const steps = () => region("First steps").getByRole("listitem");
  const map = () => region("Live map");

  it("has every first step to do and no arrow in use before anything has happened", async () => {
    await window.open("Overview");
    await steps().first().waitFor();
    expect(await steps().getByRole("img", { name: "To do" }).count()).toBe(5);
    await map().getByText("No request in the last five minutes.").waitFor({ state: "attached" });
  });

  it("ticks each step when what it leads to has been seen", async () => {
    made = await fillConsole(window.addresses, folder.path);
    await region("First steps").getByText("5 of 5 done").waitFor();
    expect(await steps().getByRole("img", { name: "Done" }).count()).toBe(5);
    await region("First steps").getByRole("button", { name: "Hide" }).click();
    await region("First steps").waitFor({ state: "detached" });
  });

  it("shows on the map who asked whom, in a table, too, and where faults are armed", async () => {
    await map()
      .getByRole("link", { name: /^Application to Platform, requests and 95th percentile: \d+ \S+$/ })
      .waitFor();
    for (const way of ["Client to Application", "Client to Model", "Platform to Application", "Watcher to Application"])
      await map()
        .getByRole("link", { name: new RegExp(`^${way}, .*: [1-9]`) })
        .waitFor();
    const row = map().getByRole("row").filter({ hasText: "Platform → Application" });
    expect(await row.getByRole("cell").first().textContent()).toMatch(/^[1-9]/);
    const parts = map().getByRole("list", { name: "Services and clients" }).getByRole("listitem");
    await parts.filter({ hasText: "Application" }).getByRole("link", { name: "1 fault armed here" }).waitFor();
    await parts.filter({ hasText: "Platform" }).getByRole("link", { name: "1 fault armed here" }).waitFor();
    await expectAccessible();
  });

  it("leads from an arrow to its requests", async () => {
    await map()
      .getByRole("link", { name: /^Platform to Application/ })
      .click();
    await page().getByRole("grid", { name: "Requests" }).getByText("/api/payments/notifications").first().waitFor();
    expect([address().get("sender"), address().get("service")]).toEqual(["provider", "app"]);
  });
});

describe("The page of requests", () => {
  const grid = () => page().getByRole("grid", { name: "Requests" });
  const group = (name: string | RegExp) => region("Waterfall").getByRole("group", { name });
  const bars = (of: Locator) => of.getByRole("button");
  const overTime = () => page().getByRole("group", { name: "Requests over time" });
  const shown = (path: string) => grid().getByRole("row").filter({ hasText: path });

  it("folds Hearth's own traffic away", async () => {
    await page().goto(new URL("/console/requests", page().url()).href);
    await shown("/api/orders").first().waitFor();
    expect(await shown("/api/payments/notifications").count()).toBe(0);
    const onlyMine = page().getByRole("switch", { name: "Only my client" });
    await onlyMine.click({ force: true });
    await shown("/api/payments/notifications").first().waitFor();
    await onlyMine.click({ force: true });
    await shown("/api/payments/notifications").first().waitFor({ state: "detached" });
  });

  it("draws a login with its prompts and an order with its notification as bars of one group each", async () => {
    const { outTradeNo } = made.paid;
    await page().getByRole("radiogroup", { name: "View" }).getByText("By action").click();
    const login = group("Login of ada");
    await login.waitFor();
    for (const path of ["/sim/users/ada/login", "/api/sessions", "/api/userinfos", "/api/phonenumbers"])
      await bars(login).filter({ hasText: path }).waitFor();
    await bars(login).filter({ hasText: "app → provider" }).first().waitFor();
    const order = group(`Order ${outTradeNo}`);
    await bars(order).filter({ hasText: "/api/payments/notifications" }).first().waitFor();
    await bars(order)
      .filter({ hasText: `/sim/orders/${outTradeNo}/pay` })
      .waitFor();
    await bars(order).filter({ hasText: "app → provider" }).first().waitFor();
    await bars(login).filter({ hasText: "/api/sessions" }).click();
    await region("POST /api/sessions").getByRole("tab", { name: "Response" }).waitFor();
    await expectAccessible();
  });

  it("groups by user, with the users' names", async () => {
    await page().getByRole("radiogroup", { name: "View" }).getByText("By user").click();
    await bars(group("eve")).filter({ hasText: "/api/articles/999" }).waitFor();
    expect(await bars(group("ada")).filter({ hasText: "/api/articles/999" }).count()).toBe(0);
    await region("POST /api/sessions").getByRole("button", { name: "Close" }).click();
    await page().getByRole("radiogroup", { name: "View" }).getByText("Table").click();
  });

  it("narrows the list by dragging over the bars, and by keys and exact times", async () => {
    const { send } = consoleOf(window.addresses);
    await send("PUT", "/clock", { advance_ms: 3_600_000 });
    await fetch(`${window.addresses.app}/an-hour-later`);
    await shown("/an-hour-later").waitFor();
    const slider = (name: string) => overTime().getByRole("slider", { name });
    await expect.poll(async () => Number(await slider("To").getAttribute("aria-valuemax"))).toBeGreaterThan(50);

    const plot = await slider("From").locator("..").boundingBox();
    if (!plot) throw new Error("there are no bars");
    const y = plot.y + plot.height / 2;
    await page().mouse.move(plot.x + 1, y);
    await page().mouse.down();
    await page().mouse.move(plot.x + plot.width / 2, y, { steps: 4 });
    await page().mouse.up();
    await shown("/an-hour-later").waitFor({ state: "detached" });
    await shown("/api/orders").first().waitFor();
    expect(Date.parse(address().get("until") ?? "")).toBeGreaterThan(Date.parse(address().get("since") ?? ""));

    await overTime().getByRole("button", { name: "Show all times" }).click();
    await shown("/an-hour-later").waitFor();
    await expect.poll(async () => Number(await slider("From").getAttribute("aria-valuemax"))).toBeGreaterThan(50);
    await slider("From").focus();
    for (let moves = 0; moves < 3; moves++) await page().keyboard.press("PageDown");
    await page().keyboard.press("Enter");
    await shown("/api/orders").first().waitFor({ state: "detached" });
    await shown("/an-hour-later").waitFor();

    await overTime().getByRole("button", { name: "–" }).click();
    const form = page().getByRole("dialog");
    await form.getByLabel("From").fill("2001-01-01T00:00:00");
    await form.getByLabel("To", { exact: true }).fill("2001-01-02T00:00:00");
    await form.getByRole("button", { name: "Show", exact: true }).click();
    await page().getByText("No requests match").waitFor();
    await expectAccessible();
  });
});

describe("The page of events", () => {
  const row = (type: string, text: string) =>
    page().getByRole("grid", { name: "Events" }).getByRole("row").filter({ hasText: type }).filter({ hasText: text });

  it("calls users, orders and items by their names, and keeps the ids in the details", async () => {
    await window.open("Events");
    await row("session.created", "ada").first().waitFor();
    await row("payment.settled", "Green tea").first().waitFor();
    await row("resource.created", "Hello, Hearth").click();
    const inspector = region(/^Event/);
    await inspector.getByText("articles/1", { exact: true }).first().waitFor();
    await page().keyboard.press("Escape");
  });

  it("narrows the list by the bars over it", async () => {
    const overTime = page().getByRole("group", { name: "Events over time" });
    await overTime.getByRole("slider", { name: "To" }).focus();
    await expect
      .poll(async () => Number(await overTime.getByRole("slider", { name: "To" }).getAttribute("aria-valuemax")))
      .toBeGreaterThan(0);
    await page().keyboard.press("ArrowLeft");
    await page().keyboard.press("Enter");
    await expect.poll(() => address().get("until")).not.toBeNull();
    await row("session.created", "ada").first().waitFor();
    await expectAccessible();
  });
});
