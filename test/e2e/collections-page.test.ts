/** The page of collections: everybody's items as tables, edited as JSON, out and in as one file, and what the server keeps. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consoleOf, logIn } from "../support/console/console-scene.ts";
import { readWhenWritten } from "../support/process/read-when-written.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { openWindow, type HearthWindow } from "../support/console/window.ts";

const folder = temporaryFolder();
let window: HearthWindow;

beforeAll(async () => {
  window = await openWindow();
  const headers = { ...(await logIn(window.addresses, "ada")), "content-type": "application/json" };
  for (const article of [{ title: "Public" }, { title: "Secret plan", private: true }])
    await fetch(`${window.addresses.app}/api/articles`, { method: "POST", headers, body: JSON.stringify(article) });
  await window.open("Collections");
});
afterAll(async () => {
  await window[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const row = (text: string) => window.page.getByRole("row").filter({ hasText: text });
/** The editor shows the text line by line; its field takes keys. */
async function write(text: string): Promise<void> {
  const field = window.page.getByRole("textbox", { name: "Fields" });
  await field.click();
  await window.page.keyboard.press("ControlOrMeta+a");
  await window.page.keyboard.insertText(text);
}

describe("the page of collections", () => {
  it("shows everybody's items, private ones too, and finds by their text", async () => {
    const { page } = window;
    await row("Secret plan").waitFor();
    await page.getByRole("textbox", { name: "Search in items" }).fill("publ");
    await expect.poll(() => row("Secret plan").count()).toBe(0);
    await row("Public").waitFor();
    await page.getByRole("textbox", { name: "Search in items" }).fill("");
    await row("Secret plan").waitFor();
  });

  it("changes an item, and says beside it why a change is refused", async () => {
    const { page } = window;
    await row("Public").click();
    await write('{"title": ""}');
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").filter({ hasText: "title" }).waitFor();
    await write('{"title": "Changed by hand", "body": "b"}');
    await page.getByRole("button", { name: "Save" }).click();
    await row("Changed by hand").waitFor();
    expect(new URL(page.url()).searchParams.get("item")).toBe("1");
  });

  it("adds an item from its schema's draft, and deletes one after asking", async () => {
    const { page } = window;
    await page.getByRole("button", { name: "New item" }).click();
    await page.getByRole("textbox", { name: "Fields" }).getByText('"A first article"').waitFor();
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await row("A first article").waitFor();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await expect.poll(() => row("A first article").count()).toBe(0);
  });

  it("hands everything out as a file, and takes it in again", async () => {
    const { page } = window;
    const file = join(folder.path, "data.json");
    // In the window a person is asked where to.
    await window.electron.evaluate(({ session }, path) => {
      session.fromPartition("persist:console").once("will-download", (_event, item) => item.setSavePath(path));
    }, file);
    await page.getByRole("button", { name: "Data", exact: true }).click();
    await page.getByRole("menuitem", { name: "Export everything" }).click();
    const text = await readWhenWritten(file);
    expect(text).toContain("Changed by hand");
    writeFileSync(file, text.replace("Changed by hand", "Back again"));
    await page.getByRole("button", { name: "Data", exact: true }).click();
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("menuitem", { name: /^Import beside/ }).click();
    await (await chooser).setFiles(file);
    await row("Back again").waitFor();
  });

  it("shows the server's stored data, and clears it after asking", async () => {
    const { page } = window;
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Data", exact: true }).click();
    await page.getByRole("menuitem", { name: "What the server keeps" }).click();
    await page.getByRole("button", { name: "Clear: Recorded requests" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Clear" }).click();
    const left = async () => {
      const { requests } = (await consoleOf(window.addresses).get("/requests?path=/api/articles")) as {
        requests: unknown[];
      };
      return requests.length;
    };
    await expect.poll(left).toBe(0);
  });
});
