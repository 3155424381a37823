/** The main job of the console by keyboard alone: no click, and every field and button is reached as a person without a mouse does. */
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pngBytes } from "../support/files.ts";
import { pressInRow } from "../support/console/console-page.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { openWindow, type HearthWindow } from "../support/console/window.ts";

const folder = temporaryFolder();
let window: HearthWindow;

beforeAll(async () => {
  window = await openWindow();
});
afterAll(async () => {
  await window[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** More than that would be a trap, or as good as one. */
const mostTabs = 60;
const press = (key: string) => window.page.keyboard.press(key);
const type = (text: string) => window.page.keyboard.type(text);
const hasFocus = (target: Locator) =>
  target.evaluate(
    (element) => element === (globalThis as unknown as { document: { activeElement: unknown } }).document.activeElement,
  );
const button = (name: string | RegExp) => window.page.getByRole("button", { name, exact: true });
const heading = (name: string) =>
  window.page.getByRole("heading", { level: 1, name, exact: true }).waitFor({ state: "attached" });

/** Presses Tab until the target has the focus. */
async function reach(target: Locator): Promise<void> {
  await target.waitFor();
  for (let tabs = 0; tabs <= mostTabs; tabs++) {
    if (await hasFocus(target)) return;
    await press("Tab");
  }
  throw new Error(`${String(target)} is not reached by ${String(mostTabs)} Tab keys`);
}
async function act(target: Locator): Promise<void> {
  await reach(target);
  await press("Enter");
}
/** Opens a page by its two keys. */
async function go(letter: string, name: string): Promise<void> {
  await pressInRow(window.page, "g", letter);
  await heading(name);
}

describe("By keyboard alone a person", () => {
  it("logs in on the phone, and answers both prompts", async () => {
    const { page } = window;
    await go("h", "Phone");
    const phone = page.getByRole("region", { name: "Phone of ada" });
    await act(phone.getByRole("button", { name: "Open the app" }));
    for (const about of [/user info/, /phone number/])
      await act(page.getByRole("dialog", { name: about }).getByRole("button", { name: "Allow", exact: true }));
    await phone.getByText("No articles yet. Write the first one.").waitFor();
  });

  it("uploads a file", async () => {
    const { page } = window;
    await go("l", "Uploads");
    await reach(page.getByLabel("Drop files here, or click to choose"));
    const chooser = page.waitForEvent("filechooser");
    await press("Enter");
    await (await chooser).setFiles({ name: "by-key.png", mimeType: "image/png", buffer: Buffer.from(pngBytes(4, 4)) });
    await page.getByRole("row").filter({ hasText: "by-key.png" }).first().waitFor();
  });

  it("watches a folder, and sees what changes in it", async () => {
    const { page } = window;
    const watched = join(realpathSync(folder.path), "watched");
    mkdirSync(watched);
    await go("w", "File events");
    await act(button("Watch a folder").first());
    await reach(page.getByLabel("Folder", { exact: true }));
    await type(watched);
    await act(button("Watch"));
    await page.getByLabel("Folder", { exact: true }).waitFor({ state: "detached" });
    await page.getByRole("list", { name: "Watched folders" }).getByText("Watching").waitFor();
    writeFileSync(join(watched, "notes.txt"), "one\n");
    await page.getByRole("row").filter({ hasText: "notes.txt" }).first().waitFor();
  });

  it("places an order, and has it paid and settled", async () => {
    const { page } = window;
    await go("p", "Payments");
    await act(button("New order").first());
    await act(page.getByRole("dialog", { name: "New order" }).getByRole("button", { name: "Place order" }));
    await act(button(/^Buyer pays /));
    await page.getByRole("button", { name: /Settled/ }).waitFor();
  });

  it("asks the model and gets an answer", async () => {
    const { page } = window;
    await go("c", "Chat");
    await reach(page.getByRole("textbox", { name: "Message" }));
    await type("What is Hearth?");
    await expect.poll(() => button("Send").isEnabled()).toBe(true);
    await press("Enter");
    const answer = page.getByRole("article", { name: "hearth-starter:latest" });
    await expect.poll(() => answer.textContent()).toMatch(/token\/s/);
  });

  it("goes on where a form was that has been opened and given up", async () => {
    const { page } = window;
    const [edit, question] = [button("Edit the question"), page.getByRole("textbox", { name: "Edit the question" })];
    for (const giveUp of [() => press("Escape"), () => act(button("Cancel"))]) {
      await edit.focus();
      await press("Enter");
      await expect.poll(() => hasFocus(question)).toBe(true);
      await giveUp();
      await expect.poll(() => hasFocus(edit)).toBe(true);
    }
    const rename = button("Rename What is Hearth?");
    await rename.focus();
    await press("Enter");
    await page.getByRole("textbox", { name: "Rename What is Hearth?" }).waitFor();
    await press("Enter");
    await expect.poll(() => hasFocus(button(/^What is Hearth\?/))).toBe(true);
  });

  it("is back in the table after an open row is closed, and at the button after its form", async () => {
    const { page } = window;
    await go("r", "Requests");
    const table = page.getByRole("grid", { name: "Requests" });
    await table.locator("[aria-rowindex='2']").waitFor();
    await reach(table);
    await press("ArrowDown");
    const edit = button("Edit");
    await act(edit);
    await act(page.getByRole("form", { name: "Edit" }).getByRole("button", { name: "Cancel" }));
    await expect.poll(() => hasFocus(edit)).toBe(true);
    await press("Escape");
    await expect.poll(() => hasFocus(table)).toBe(true);
    await press("ArrowDown");
    await act(button("Resend"));
    await page.getByRole("tab", { name: "Compare" }).waitFor();
    await act(button("Close"));
    await expect.poll(() => hasFocus(table)).toBe(true);
  });

  it("passes the API description by a few keys, with all of its operations in it, and reaches each by arrow keys", async () => {
    const { page } = window;
    await press("ControlOrMeta+k");
    const search = page.getByPlaceholder("Find a page or an action");
    await expect.poll(() => hasFocus(search)).toBe(true);
    await type("API docs");
    await page.getByRole("dialog").getByText("API docs").first().waitFor();
    await press("Enter");
    await heading("API docs");
    const docs = page.frameLocator("iframe");
    await docs.locator("#operations-articles-createArticle").waitFor();
    const operations = await docs.locator(".opblock").count();
    expect(operations).toBeGreaterThan(20);
    await reach(button("Skip the API description"));
    const inFrame = () => page.evaluate<boolean>("document.activeElement?.tagName === 'IFRAME'");
    await press("Tab");
    await expect.poll(inFrame).toBe(true);
    let stops = 0;
    for (; (await inFrame()) && stops < mostTabs; stops++) await press("Tab");
    expect(stops).toBeLessThan(20);

    await press("Shift+Tab");
    await expect.poll(inFrame).toBe(true);
    await press("Home");
    await expect.poll(() => docs.locator(".opblock-tag :focus").count()).toBe(1);
    await press("ArrowDown");
    await expect.poll(() => hasFocus(docs.locator(".opblock-summary-control").first())).toBe(true);
    await press("Enter");
    await docs.getByRole("button", { name: "Execute" }).first().waitFor();
  });
});
