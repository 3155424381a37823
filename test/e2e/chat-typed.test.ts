/** What is typed on the page of chat and not yet said: sent by Enter alone, and kept while another page is looked at. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeRandomGguf } from "../support/model/random-gguf.ts";
import { intercept } from "../support/console/console-page.ts";
import { openWindow, type HearthWindow } from "../support/console/window.ts";

let window: HearthWindow;

beforeAll(async () => {
  window = await openWindow((dataDir) => {
    mkdirSync(join(dataDir, "models"));
    for (const name of ["other", "tiny"]) writeRandomGguf(join(dataDir, "models", `${name}.gguf`), {});
  });
  await window.open("Chat");
  await window.page.getByRole("combobox", { name: "Model" }).selectOption("hearth-starter:latest");
  await button("Which ports does Hearth use?").click();
  await answered();
});
afterAll(() => window[Symbol.asyncDispose]());

const button = (name: string) => window.page.getByRole("button", { name, exact: true });
const list = () => window.page.getByRole("navigation", { name: "Conversations" }).getByRole("listitem");
const message = () => window.page.getByRole("textbox", { name: "Message" });
/** The one question of the conversation has its answer. */
const answered = () => window.page.getByRole("log", { name: "Conversation" }).getByText("token/s").waitFor();

describe("what is typed and not yet said", () => {
  it("is kept for each conversation", async () => {
    await message().fill("Half a question");
    await button("New chat").click();
    await expect.poll(() => message().inputValue()).toBe("");
    await window.open("Overview");
    await window.open("Chat");
    await list().getByRole("button").first().click();
    await expect.poll(() => message().inputValue()).toBe("Half a question");
    await message().fill("");
  });

  it("is kept in a changed question while another one is answered", async () => {
    const { page } = window;
    const changed = page.getByRole("textbox", { name: "Edit the question" });
    await button("Edit the question").click();
    await changed.fill("Which of them are");
    const held = Promise.withResolvers<void>();
    const end = await intercept(page, /\/api\/chat$/, async (route) => {
      await held.promise;
      await route.continue();
    });
    await message().fill("And which folders?");
    await message().press("Enter");
    await button("Stop").waitFor();
    expect(await changed.inputValue()).toBe("Which of them are");
    expect(await button("Ask again").isDisabled()).toBe(true);
    end();
    held.resolve();
    await button("Send").waitFor();
    expect(await changed.inputValue()).toBe("Which of them are");
    await changed.fill("Which of them are open?");
    await button("Ask again").click();
    await page
      .getByRole("log", { name: "Conversation" })
      .getByText("Which of them are open?", { exact: true })
      .waitFor();
    await answered();
  });

  it("is asked by Enter, but not by the Enter that chooses the letters of a Chinese text", async () => {
    const { page } = window;
    await button("New chat").click();
    await page.getByRole("combobox", { name: "Model" }).selectOption("hearth-starter:latest");
    await message().fill("哪些端口");
    // Chromium tells it while the letters are chosen, WebKit when that is over.
    for (const more of [{ isComposing: true }, { keyCode: 229 }])
      await message().dispatchEvent("keydown", { key: "Enter", ...more });
    expect(await message().inputValue()).toBe("哪些端口");
    await message().press("Enter");
    await answered();
  });

  it("is kept with the model and the settings of a new conversation, until its first question", async () => {
    const { page } = window;
    const model = page.getByRole("combobox", { name: "Model" });
    const system = page.getByLabel("System prompt");
    await button("New chat").click();
    await model.selectOption("tiny:latest");
    await button("Settings").click();
    await system.fill("You are terse.");
    await page.getByLabel("num_predict").fill("12");
    await window.open("Overview");
    await window.open("Chat");
    await button("New chat").click();
    await button("Settings").click();
    expect([await system.inputValue(), await model.inputValue()]).toEqual(["You are terse.", "tiny:latest"]);
    // A model that another page has chosen takes its place, and can be changed, too.
    await window.open("Models");
    await page.getByRole("row", { name: "other:latest" }).click();
    await page.getByRole("region", { name: "other:latest" }).getByRole("link", { name: "Chat" }).click();
    await expect.poll(() => model.inputValue()).toBe("other:latest");
    await model.selectOption("tiny:latest");
    await expect.poll(() => model.inputValue()).toBe("tiny:latest");
    await message().fill("Say little");
    await button("Send").click();
    await answered();
    await button("New chat").click();
    await button("Settings").click();
    expect(await system.inputValue()).toBe("");
  });
});
