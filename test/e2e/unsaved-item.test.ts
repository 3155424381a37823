/** What is typed into the form of an item, or a schema, and not saved: kept, and asked about, whatever happens beside it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { answerBehindEvent, holdReads } from "../support/console/console-page.ts";
import { consoleOf, logIn } from "../support/console/console-scene.ts";
import { openWindow, type HearthWindow } from "../support/console/window.ts";

let window: HearthWindow;
let headers: Record<string, string>;

beforeAll(async () => {
  window = await openWindow();
  headers = { ...(await logIn(window.addresses, "ada")), "content-type": "application/json" };
  for (const title of ["Changed by hand", "Secret plan"])
    await fetch(`${window.addresses.app}/api/articles`, { method: "POST", headers, body: JSON.stringify({ title }) });
  await window.open("Collections");
});
afterAll(() => window[Symbol.asyncDispose]());

const row = (text: string) => window.page.getByRole("row").filter({ hasText: text });

describe("an item that is being changed", () => {
  it("keeps what is typed while the change before is being saved", async () => {
    const { page } = window;
    const title = page.getByRole("textbox", { name: "title" });
    const save = page.getByRole("button", { name: "Save", exact: true });
    await row("Changed by hand").click();
    await title.fill("Saved first");
    await answerBehindEvent(page, ["PUT", /\/articles\/items\/1$/], async () => {
      await row("Saved first").waitFor();
      await title.fill("Typed meanwhile");
    });
    await save.click();
    await save.click();
    await row("Typed meanwhile").waitFor();
    await title.fill("Changed by hand");
    await save.click();
    await row("Changed by hand").waitFor();
  });

  it("asks before a change is lost by going elsewhere, and not when it is saved", async () => {
    const { page } = window;
    const dialog = page.getByRole("dialog", { name: "Discard the changes?" });
    const title = page.getByRole("textbox", { name: "title" });
    await title.fill("Not saved");
    for (const [text, hidden] of [
      ["hand", "Secret plan"],
      ["secret", "Changed by hand"],
    ] as const) {
      await page.getByRole("textbox", { name: "Search in items" }).fill(text);
      await row(hidden).waitFor({ state: "detached" });
    }
    await page.getByRole("textbox", { name: "Search in items" }).fill("");
    await row("Changed by hand").waitFor();
    await page.setViewportSize({ width: 700, height: 800 });
    await page.getByRole("dialog", { name: "articles/1" }).waitFor();
    expect(await title.inputValue()).toBe("Not saved");
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("region", { name: "articles/1" }).waitFor();
    await page.getByRole("button", { name: "New item" }).click();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(await title.inputValue()).toBe("Not saved");
    await page.getByRole("link", { name: "Overview" }).click();
    await dialog.getByRole("button", { name: "Discard" }).click();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await window.open("Collections");
    await row("Changed by hand").click();
    await expect.poll(() => title.inputValue()).toBe("Changed by hand");
  });

  it("counts as saved once it is, also while it is fetched again", async () => {
    const { page } = window;
    const title = page.getByRole("textbox", { name: "title" });
    const save = page.getByRole("button", { name: "Save", exact: true });
    await title.fill("Saved and left");
    const letGo = await holdReads(page, /\/articles\/items\/1$/);
    await save.click();
    await row("Saved and left").waitFor();
    await row("Secret plan").click();
    await expect.poll(() => title.inputValue()).toBe("Secret plan");
    letGo();
    await row("Saved and left").click();
    await title.fill("Changed by hand");
    await save.click();
    await row("Changed by hand").waitFor();
  });

  it("is what was saved for whoever leaves it and comes back before it is fetched again", async () => {
    const { page } = window;
    const title = page.getByRole("textbox", { name: "title" });
    const save = page.getByRole("button", { name: "Save", exact: true });
    await title.fill("Saved and back");
    const letGo = await holdReads(page, /\/articles\/items/);
    await save.click();
    await save.and(page.locator(":disabled:not([data-loading])")).waitFor();
    await row("Secret plan").click();
    await expect.poll(() => title.inputValue()).toBe("Secret plan");
    await row("Changed by hand").click();
    await page.getByRole("region", { name: "articles/1" }).waitFor();
    expect(await title.inputValue()).toBe("Saved and back");
    letGo();
    await row("Saved and back").waitFor();
    await title.fill("Changed by hand");
    await save.click();
    await row("Changed by hand").waitFor();
  });

  it("keeps what is typed when somebody else changes the item, and shows the change on demand", async () => {
    const { page } = window;
    const title = page.getByRole("textbox", { name: "title" });
    await title.fill("Typed here");
    const changed = await fetch(`${window.addresses.app}/api/articles/1`, {
      method: "PATCH",
      headers,
      body: '{"title": "From a client"}',
    });
    expect(changed.status).toBe(200);
    await page.getByText("This item changed in the meantime.").waitFor();
    expect(await title.inputValue()).toBe("Typed here");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("form", { name: "Item" }).getByRole("alert").waitFor();
    await page.getByRole("button", { name: "Discard my changes and load it" }).click();
    await expect.poll(() => title.inputValue()).toBe("From a client");
    await title.fill("Changed by hand");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await row("Changed by hand").waitFor();
  });

  it("keeps what is typed when somebody else deletes the item, and says so", async () => {
    const { page } = window;
    const title = page.getByRole("textbox", { name: "title" });
    await page.getByRole("region", { name: "articles/1" }).getByRole("button", { name: "Close" }).click();
    await page.reload();
    await row("Secret plan").waitFor();
    // A row that is being fetched again is all there is of it until it is deleted.
    const letGo = await holdReads(page, /\/articles\/items/);
    const asked = page.waitForRequest(/\/articles\/items/);
    await fetch(`${window.addresses.app}/api/articles/1`, { method: "PATCH", headers, body: '{"body": "Changed"}' });
    await asked;
    await row("Secret plan").click();
    await expect.poll(() => title.inputValue()).toBe("Secret plan");
    await title.fill("Typed here");
    const id = new URL(page.url()).searchParams.get("item") ?? "";
    await fetch(`${window.addresses.app}/api/articles/${id}`, { method: "DELETE", headers });
    letGo();
    await page.getByRole("form", { name: "Item" }).getByText(`articles/${id} does not exist.`).waitFor();
    expect(await title.inputValue()).toBe("Typed here");
    await title.fill("Secret plan");
    await page.getByRole("form", { name: "Item" }).waitFor({ state: "detached" });
  });
});

describe("the schema of a collection", () => {
  const plays = JSON.stringify({ type: "object", properties: { title: { type: "string" } } });
  const change = (method: string, path: string, body: object = {}) =>
    consoleOf(window.addresses).send(method, `/collections/plays${path}`, body);
  const schema = () => window.page.getByRole("textbox", { name: "Schema" });
  const close = () =>
    window.page
      .getByRole("region", { name: / plays$/ })
      .getByRole("button", { name: "Close" })
      .click();
  const discard = async () => {
    await close();
    const question = window.page.getByRole("dialog", { name: "Discard the changes?" });
    await question.getByRole("button", { name: "Discard" }).click();
    await window.page.getByRole("button", { name: /^articles/, pressed: true }).waitFor();
  };
  beforeEach(async () => {
    expect((await change("PUT", "/schema", { text: plays })).status).toBe(200);
    await window.page.getByRole("button", { name: /^plays/ }).click();
    await window.page.getByRole("button", { name: /^plays/, pressed: true }).waitFor();
  });

  it("counts as saved once it is, and is what was saved, before it is fetched again", async () => {
    const { page } = window;
    await page.getByRole("button", { name: "Schema", exact: true }).click();
    const longer = plays.replace("{", '{ "description": "On a stage",');
    await schema().fill(longer);
    const letGo = await holdReads(page, /\/api\/collections/);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await schema().waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Schema", exact: true }).click();
    expect(await schema().textContent()).toBe(longer);
    letGo();
    await close();
  });

  it("stays as it is typed when somebody else removes the collection, which is said", async () => {
    await window.page.getByRole("button", { name: "Schema", exact: true }).click();
    // The text before may still be shown, and gives way to this one.
    await expect.poll(() => schema().textContent()).toBe(plays);
    await schema().fill("Typed here");
    await change("DELETE", "");
    await window.page.getByRole("alert").getByText("Collection plays does not exist.").waitFor();
    expect(await schema().textContent()).toBe("Typed here");
    await discard();
  });

  it("has a form for a new item, which stays with what is typed when the collection is removed", async () => {
    const { page } = window;
    await page.getByRole("button", { name: "New item" }).click();
    const title = page.getByRole("textbox", { name: "title" });
    await title.fill("Typed here");
    await change("DELETE", "");
    await page.getByRole("form", { name: "Item" }).getByText("Collection plays does not exist.").waitFor();
    expect(await title.inputValue()).toBe("Typed here");
    await discard();
  });
});

it("keeps the cell that is edited while its row is pushed out of sight, and saves it with the page left", async () => {
  const { page } = window;
  const { get, send } = consoleOf(window.addresses);
  await send("POST", "/collections/articles/items", { data: { title: "In the cell" } });
  await window.open("Uploads");
  await window.open("Collections");
  await row("In the cell").click();
  await page.getByRole("form", { name: "Item" }).waitFor();
  await page.getByRole("grid").focus();
  await page.keyboard.press("F2");
  const cell = page.getByRole("textbox", { name: "Edit title" });
  await cell.fill("Typed");
  for (let count = 0; count < 80; count++)
    await send("POST", "/collections/articles/items", { data: { title: `Pushing ${String(count)}` } });
  await row("Pushing 79").waitFor();
  await page.keyboard.press("End");
  await page.keyboard.type(" and left");
  expect(await cell.inputValue()).toBe("Typed and left");
  await page.evaluate("history.back()");
  await page.getByRole("heading", { level: 1, name: "Uploads" }).waitFor({ state: "attached" });
  await expect
    .poll(() => get("/collections/articles/items?q=Typed"))
    .toMatchObject({ items: [{ data: { title: "Typed and left" } }] });
});
