/** The page of collections: made there, everybody's items as tables to edit, out and in as one file, and what the server keeps. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerBehindEvent, hear, undo, violationsOf } from "../support/console/console-page.ts";
import { consoleOf, logIn } from "../support/console/console-scene.ts";
import { readWhenWritten } from "../support/process/read-when-written.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { openWindow, type HearthWindow } from "../support/console/window.ts";

const folder = temporaryFolder();
let window: HearthWindow;
let headers: Record<string, string>;

beforeAll(async () => {
  window = await openWindow();
  headers = { ...(await logIn(window.addresses, "ada")), "content-type": "application/json" };
  for (const article of [{ title: "Public" }, { title: "Secret plan", private: true }])
    await fetch(`${window.addresses.app}/api/articles`, { method: "POST", headers, body: JSON.stringify(article) });
  await window.open("Collections");
});
afterAll(async () => {
  await window[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const row = (text: string | RegExp) => window.page.getByRole("row").filter({ hasText: text });
const collection = (name: RegExp) =>
  window.page.getByRole("group", { name: "Collections" }).getByRole("button", { name });
const expectAccessible = () => expect.poll(() => violationsOf(window.page), { interval: 200 }).toEqual([]);
/** An editor shows the text line by line; its field takes keys. */
async function writeIn(field: Locator, text: string): Promise<void> {
  await field.click();
  await window.page.keyboard.press("ControlOrMeta+a");
  await window.page.keyboard.insertText(text);
}
const write = (text: string) => writeIn(window.page.getByRole("textbox", { name: "Fields" }), text);

const novels = {
  type: "object",
  required: ["title"],
  properties: { title: { type: "string" }, author: { type: "integer", "x-hearth": { ref: "authors" } } },
};

describe("the page of collections", () => {
  it("shows everybody's items, private ones too, and finds by their text", async () => {
    const { page } = window;
    await row("Secret plan").waitFor();
    await page.getByRole("textbox", { name: "Search in items" }).fill("publ");
    await expect.poll(() => row("Secret plan").count()).toBe(0);
    await row("Public").waitFor();
    await page.getByText("1 of 2", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Clear all filters" }).click();
    await row("Secret plan").waitFor();
  });

  it("changes an item as JSON, and says beside it why a change is refused", async () => {
    const { page } = window;
    await row("Public").click();
    await page.getByRole("radiogroup", { name: "Edit as" }).getByText("JSON").click();
    await write('{"title": ""}');
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").filter({ hasText: "title" }).waitFor();
    await write('{"title": "Changed by hand", "body": "b"}');
    await page.getByRole("button", { name: "Save" }).click();
    await row("Changed by hand").waitFor();
    expect(new URL(page.url()).searchParams.get("item")).toBe("1");
  });

  it("adds an item by a form of its schema, and deletes one, which can be undone", async () => {
    const { page } = window;
    await page.getByRole("button", { name: "New item" }).click();
    const title = page.getByRole("textbox", { name: "title" });
    await expect.poll(() => title.inputValue()).toBe("A first article");
    await title.fill("By the form");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await row("By the form").waitFor();
    await answerBehindEvent(page, ["DELETE", /\/articles\/items\/\d+$/], () =>
      row("By the form").waitFor({ state: "detached" }),
    );
    await undo(page, async () => {
      await page.getByRole("button", { name: "Delete", exact: true }).click();
      await page.getByRole("form", { name: "Item" }).waitFor({ state: "detached" });
    });
    await row("By the form").waitFor();
  });

  it("edits values in the table by keys, and undoes the last change by one", async () => {
    const { page } = window;
    await row("By the form").click();
    await page.getByRole("form", { name: "Item" }).waitFor();
    await page.getByRole("grid").focus();
    await page.keyboard.press("F2");
    const cell = (field: string) => page.getByRole("textbox", { name: `Edit ${field}` });
    await cell("title").fill("In the cell");
    await page.keyboard.press("Tab");
    await cell("body").fill("with a body");
    await page.keyboard.press("Enter");
    await row(/In the cell.*with a body/).waitFor();
    for (const key of ["F2", "Escape", "F2"]) await page.keyboard.press(key);
    await cell("title").press("Escape");
    await page.keyboard.press("u");
    await row("with a body").waitFor({ state: "detached" });
    await row("In the cell").waitFor();
    await page.keyboard.press("Escape");
  });

  it("keeps the lines of a text that is edited in its cell", async () => {
    const { page } = window;
    const { get, send } = consoleOf(window.addresses);
    const data = { title: "Of lines", body: "one\r\ntwo\r\nthree" };
    await send("POST", "/collections/articles/items", { data });
    await row("Of lines").click();
    await page.getByRole("grid").focus();
    await page.keyboard.press("F2");
    await page.keyboard.press("Tab");
    const cell = page.getByRole("textbox", { name: "Edit body" });
    await cell.press("ControlOrMeta+Home");
    await page.keyboard.type("twenty-");
    // Of an input method, by which somebody types Chinese: while letters are chosen, and after that.
    for (const key of ["Enter", "Escape"])
      for (const more of [{ isComposing: true }, { keyCode: 229 }])
        await cell.dispatchEvent("keydown", { key, ...more });
    await page.keyboard.press("Enter");
    await cell.waitFor({ state: "detached" });
    await expect
      .poll(() => get("/collections/articles/items?q=Of%20lines"))
      .toMatchObject({ items: [{ data: { ...data, body: "twenty-one\r\ntwo\r\nthree" } }] });
    await page.keyboard.press("Escape");
  });

  it("makes a collection from a file of items, and one that refers to it from a schema", async () => {
    const { page } = window;
    const dialog = page.getByRole("dialog", { name: "New collection" });
    const csv = join(folder.path, "Authors.csv");
    writeFileSync(csv, 'name,born\n"Le Guin, Ursula",1929\nLem,1921\n');
    await page.getByRole("button", { name: "New collection" }).click();
    const name = dialog.getByRole("textbox", { name: "Name" });
    for (const [typed, problem] of [
      ["My books", "Use lower-case letters and digits, with - between words."],
      ["articles", "A collection with this name exists."],
      ["book", "Use a plural noun, such as books."],
    ] as const) {
      await name.fill(typed);
      await dialog.getByText(problem).waitFor();
    }
    expect(await dialog.getByRole("button", { name: "Create collection" }).isDisabled()).toBe(true);
    await name.fill("");
    await dialog.getByText("A file").click();
    await dialog.getByLabel("File of items", { exact: true }).setInputFiles(csv);
    await dialog.getByText("Authors.csv: 2 items, CSV").waitFor();
    expect(await dialog.getByRole("listitem").allInnerTexts()).toEqual([
      expect.stringMatching(/name\s+string\s+required/),
      expect.stringMatching(/born\s+integer\s+required/),
    ]);
    await expectAccessible();
    await dialog.getByRole("button", { name: "Create collection" }).click();
    await row(/Le Guin, Ursula.*1929/).waitFor();

    await page.getByRole("button", { name: "New collection" }).click();
    await dialog.getByRole("textbox", { name: "Name" }).fill("novels");
    await page.keyboard.press("Escape");
    const question = page.getByRole("dialog", { name: "Discard the changes?" });
    await question.waitFor();
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "hidden" });
    expect(await dialog.getByRole("textbox", { name: "Name" }).inputValue()).toBe("novels");
    await dialog.getByText("A schema").click();
    await writeIn(dialog.getByRole("textbox", { name: "Schema" }), JSON.stringify(novels));
    await dialog.getByRole("switch", { name: /^Also add/ }).click();
    await dialog.getByRole("button", { name: "Create collection" }).click();
    await page.getByRole("button", { name: /^novels/, pressed: true }).waitFor();
  });

  it("refers to an item that is found by its text, and leads to it", async () => {
    const { page } = window;
    await page.getByRole("button", { name: "New item" }).click();
    await page.getByRole("textbox", { name: "title" }).fill("Solaris");
    await page.getByRole("combobox", { name: "author" }).fill("lem");
    await page.getByRole("option", { name: "2 · Lem" }).click();
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await row(/Solaris.*authors\/2/).waitFor();
    await expectAccessible();
    await row("Solaris").getByRole("link", { name: "authors/2" }).click();
    await page.getByRole("region", { name: "authors/2" }).waitFor();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("region", { name: "authors/2" }).getByRole("alert").filter({ hasText: "novels/1" }).waitFor();
    await page.keyboard.press("Escape");
  });

  it("tells which items a changed schema does not fit, and moves a removed collection aside", async () => {
    const { page } = window;
    await collection(/^novels/).click();
    await page.getByRole("button", { name: "Schema", exact: true }).click();
    const strict = {
      ...novels,
      properties: { ...novels.properties, title: { type: "string", maxLength: 3, format: "roman" } },
    };
    await writeIn(page.getByRole("textbox", { name: "Schema" }), JSON.stringify(strict));
    await page.getByText("1 stored item does not match.").waitFor();
    await page.getByText(/^These formats are not checked: roman \(1:\d+\)$/).waitFor();
    await expectAccessible();
    // What is typed stays while the file is changed elsewhere.
    writeFileSync(join(window.dataDir, "collections/novels.json"), JSON.stringify({ ...novels, description: "Long" }));
    await page.getByText("The file changed in the meantime.").waitFor();
    await page.getByText("1 stored item does not match.").waitFor();
    await answerBehindEvent(page, ["PUT", /\/novels\/schema$/], async () => {
      await page.waitForResponse((one) => one.url().endsWith("/novels/schema") && one.request().method() === "GET");
    });
    const save = page.getByRole("button", { name: "Save and keep them" });
    await hear(page, "The new schema of novels is in effect.", () => save.click());
    await page.getByRole("button", { name: "Schema", exact: true }).click();
    await page.getByRole("button", { name: "Remove collection" }).click();
    const remove = page.getByRole("dialog").getByRole("button", { name: "Remove collection" });
    await hear(page, /Removed novels. Its schema and 1 item are in .*removed/, () => remove.click());
    await page.getByRole("button", { name: /^novels/ }).waitFor({ state: "detached" });
    await collection(/^articles/).click();
    await row("Changed by hand").waitFor();
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
    await page.getByRole("menuitem", { name: /^Import and keep/ }).click();
    await (await chooser).setFiles(file);
    await row("Back again").waitFor();
  });

  it("shows the server's stored data, and clears it after asking", async () => {
    const { page } = window;
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Data", exact: true }).click();
    await page.getByRole("menuitem", { name: "Stored data" }).click();
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

  it("seeds the collections again, which can be undone", async () => {
    const { page } = window;
    await undo(page, async () => {
      await page.getByRole("button", { name: "Remove all items and seed again" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Seed again" }).click();
      await expect.poll(() => collection(/^articles/).innerText()).toMatch(/ 0$/);
    });
    await row("Back again").waitFor();
  });
});
