/** The page of chat over the model that ships with Hearth and one that goes on for ever. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { intercept, undo } from "../support/console/console-page.ts";
import { consoleOf } from "../support/console/console-scene.ts";
import { familyTemplates } from "../support/model/family-templates.ts";
import { readWhenWritten } from "../support/process/read-when-written.ts";
import { writeRandomGguf } from "../support/model/random-gguf.ts";
import { createVocabulary } from "../support/model/random-vocabulary.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { openWindow, type HearthWindow } from "../support/console/window.ts";

const folder = temporaryFolder();
let window: HearthWindow;

beforeAll(async () => {
  window = await openWindow((dataDir) => {
    mkdirSync(join(dataDir, "models"));
    writeRandomGguf(join(dataDir, "models", "tiny.gguf"), {});
    // Where it may either call a tool or answer, this one calls: behind the head of its turn comes the beginning of a call.
    const { texts } = createVocabulary(512);
    const followers = [[texts.indexOf("<0x0A>"), texts.indexOf("<")] as const];
    const caller = { chatTemplate: familyTemplates.qwen25, vocabulary: 512, circle: 10, followers };
    writeRandomGguf(join(dataDir, "models", "caller.gguf"), caller);
    // Random weights are sure of nothing.
    const author = { key: "general.author", type: "string", value: "Hearth" } as const;
    writeRandomGguf(join(dataDir, "models", "unsure.gguf"), { name: "Hearth Starter", extraMetadata: [author] });
    // Takes a second for a thousand tokens, so that its reading can be seen.
    writeRandomGguf(join(dataDir, "models", "slow.gguf"), { layers: 24, width: 512, feedForward: 1024, type: "q4_0" });
  });
  await window.open("Chat");
  await window.page.getByRole("combobox", { name: "Model" }).selectOption("hearth-starter:latest");
});
afterAll(async () => {
  await window[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const button = (name: string) => window.page.getByRole("button", { name, exact: true });
const log = () => window.page.getByRole("log", { name: "Conversation" });
const answers = () => log().getByRole("article", { name: /:latest$/ });
const list = () => window.page.getByRole("navigation", { name: "Conversations" }).getByRole("listitem");
const say = async (text: string) => {
  await window.page.getByRole("textbox", { name: "Message" }).fill(text);
  await button("Send").click();
};
const answered = (count: number) =>
  expect
    .poll(async () => (await answers().allTextContents()).filter((text) => text.includes("token/s")).length)
    .toBe(count);
const asksBeforeLeaving = async () => {
  const { page } = window;
  const dialog = page.getByRole("dialog", { name: "Discard the changes?" });
  for (const elsewhere of [page.getByRole("link", { name: "Overview", exact: true }), button("New chat")]) {
    await elsewhere.click();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
  }
};

describe("the page of chat", () => {
  it("offers questions that the starter model answers", async () => {
    await button("Which ports does Hearth use?").click();
    await answered(1);
    expect(await answers().textContent()).toContain("11434");
  });

  it("answers by the settings: a few tokens with a certain seed; and shows that very request", async () => {
    const { page } = window;
    await button("New chat").click();
    await page.getByRole("combobox", { name: "Model" }).selectOption("hearth-starter:latest");
    await button("Settings").click();
    await page.getByLabel("System prompt").fill("You are Hearth.");
    await page.getByLabel("num_predict").fill("12");
    await page.getByLabel("seed").fill("7");
    await say("What is Hearth?");
    await answered(1);
    expect(await answers().first().textContent()).toMatch(/12 tokens .*first token after/);
    expect(new URL(page.url()).searchParams.get("conversation")).not.toBeNull();

    await button("More").click();
    await page.getByRole("menuitem", { name: "Request" }).click();
    const shown = page.getByRole("region", { name: "Request" });
    await shown.getByText(/^curl http:.*\/api\/chat -d/).waitFor();
    expect(await shown.textContent()).toMatch(
      /You are Hearth[^]*"num_predict": 12[^]*"seed": 7|"seed": 7[^]*"num_predict": 12/,
    );
    await page.getByRole("button", { name: "Close" }).click();
  });

  it("answers anew, and a changed question, each as a version beside the first one", async () => {
    const { page } = window;
    await button("Answer again").click();
    await answered(1);
    await log().getByText("2 / 2", { exact: true }).waitFor();
    await button("Edit the question").click();
    await page.getByRole("textbox", { name: "Edit the question" }).fill("What can I upload?");
    await asksBeforeLeaving();
    await button("Ask again").click();
    await log().getByText("What can I upload?", { exact: true }).waitFor();
    await answered(1);
    expect(await log().getByText("What is Hearth?", { exact: true }).count()).toBe(0);
    await button("Previous version").click();
    await log().getByText("What is Hearth?", { exact: true }).waitFor();
    await button("Next version").first().click();
    await log().getByText("What can I upload?", { exact: true }).waitFor();
  });

  it("stops an answer that goes on for ever", async () => {
    const { page } = window;
    await button("New chat").click();
    await page.getByRole("combobox", { name: "Model" }).selectOption("tiny:latest");
    await say("Go on");
    await expect.poll(async () => (await answers().last().textContent())?.length ?? 0).toBeGreaterThan(40);
    await button("Stop").click();
    await expect.poll(() => answers().last().textContent()).toContain("Stopped");
  });

  it("shows how far a long prompt is read, and stops that, too", async () => {
    const { page } = window;
    await page.getByRole("combobox", { name: "Model" }).selectOption("slow:latest");
    // All of it may have been read before this test looks: the page presses Stop once it shows how far that is.
    const pressed = page.evaluate<unknown>(`new Promise((resolve) => {
      const observer = new MutationObserver(() => {
        const isRead = /Reading the prompt: [\\d,]+ of [\\d,]{5} tokens/.test(document.body.textContent);
        const stop = document.evaluate("//button[. = 'Stop' or @aria-label = 'Stop']", document).iterateNext();
        if (!isRead || !stop) return;
        observer.disconnect();
        resolve(stop.click());
      });
      observer.observe(document.body, { subtree: true, childList: true, characterData: true });
    })`);
    await say("word ".repeat(600));
    await pressed;
    const answer = log().getByRole("article", { name: "slow:latest" });
    await expect.poll(() => answer.textContent()).toMatch(/Stopped$/);
    expect(await answer.getByText("Reading the prompt").count()).toBe(0);
  });

  it("keeps several conversations over a reload, renames, deletes and brings back", async () => {
    const { page } = window;
    await page.reload();
    await expect.poll(() => list().count()).toBe(3);
    await button("Rename Go on").click();
    await page.getByRole("textbox", { name: "Rename Go on" }).fill("Endless");
    await page.keyboard.press("Enter");
    await undo(page, async () => {
      await button("Delete Endless").click();
      await expect.poll(() => list().count()).toBe(2);
    });
    await expect.poll(() => list().count()).toBe(3);
    await list().filter({ hasText: "What can I upload?" }).getByRole("button").first().click();
    await log().getByText("What can I upload?", { exact: true }).waitFor();
  });

  it("opens the newest one without an address of its own, with what was typed before, and stays there", async () => {
    const { page } = window;
    const { send } = consoleOf(window.addresses);
    const message = page.getByRole("textbox", { name: "Message" });
    const opened = () => new URL(page.url()).searchParams.get("conversation");
    const typeEarly = async (address: string, text: string) => {
      const listed = Promise.withResolvers<void>();
      const end = await intercept(page, /console\/api\/chats$/, async (route) => {
        await listed.promise;
        return route.fallback();
      });
      await page.goto(address);
      await message.fill(text);
      end();
      listed.resolve();
      await list().first().waitFor();
      await expect.poll(opened).not.toBeNull();
      expect(await message.inputValue()).toBe(text);
    };
    await typeEarly(new URL("chat", page.url()).href, "Typed first");
    const first = opened();
    await typeEarly(page.url(), "Typed early");
    const turns = [{ role: "user", content: "Elsewhere" }];
    const content = { settings: {}, turns, changedAt: Date.now() };
    await send("PUT", "/chats/elsewhere", { content });
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await list().filter({ hasText: "Elsewhere" }).waitFor();
    expect([opened(), await message.inputValue()]).toEqual([first, "Typed early"]);
    await message.fill("");

    // Its question has no answer yet.
    await list().filter({ hasText: "Elsewhere" }).getByRole("button").first().click();
    await page.getByRole("combobox", { name: "Model" }).selectOption("hearth-starter:latest");
    await button("Try again").click();
    await answered(1);
    await list().filter({ hasText: "What can I upload?" }).getByRole("button").first().click();
  });

  it("gives a conversation out as Markdown", async () => {
    const { page } = window;
    const file = join(folder.path, "chat.md");
    await window.electron.evaluate(({ session }, path) => {
      session.fromPartition("persist:console").once("will-download", (_event, item) => item.setSavePath(path));
    }, file);
    await button("More").click();
    await page.getByRole("menuitem", { name: "Export as Markdown" }).click();
    expect(await readWhenWritten(file)).toMatch(/^# What can I upload\?\n\n> You are Hearth\.\n\n## You\n\n/);
  });

  it("shows what the model calls, and lets it go on with the result that is typed in", async () => {
    const { page } = window;
    const field = (name: string) => page.getByRole("textbox", { name, exact: true });
    await button("New chat").click();
    await page.getByRole("combobox", { name: "Model" }).selectOption("caller:latest");
    await button("Settings").click();
    await page.getByLabel("temperature").fill("0");
    const parameters = { type: "object", properties: { city: { enum: ["Oslo"] } }, required: ["city"] };
    await field("Tools").fill(JSON.stringify([{ type: "function", function: { name: "get_weather", parameters } }]));
    await field("Answer format").fill('{"const":"wet"}');
    await say("What is the weather in Oslo?");
    await answered(1);
    expect(await answers().textContent()).toMatch(/Calls get_weather[{]\s*"city": "Oslo"\s*[}]/);

    await field("Tools").fill("");
    expect(await button("Send the results").isDisabled()).toBe(true);
    await field("Result of get_weather").fill('{"sky":"rain"}');
    await asksBeforeLeaving();
    await button("Send the results").click();
    await log().getByRole("article", { name: "get_weather" }).getByText('{"sky":"rain"}').waitFor();
    await answered(2);
    await answers().last().getByText("wet").waitFor();

    await button("More").click();
    await page.getByRole("menuitem", { name: "Request" }).click();
    const request = await page.getByRole("region", { name: "Request" }).textContent();
    expect(request).toMatch(/"tool_calls"[^]*"role": "tool"[^]*"tool_name": "get_weather"[^]*"tool_call_id": "call_/);
  });

  it("shows which parts of a conversation did not fit", async () => {
    const { page } = window;
    await button("New chat").click();
    await page.getByRole("combobox", { name: "Model" }).selectOption("tiny:latest");
    await button("Settings").click();
    await page.getByLabel("num_ctx").fill("256");
    await page.getByLabel("num_predict").fill("12");
    await say("A short one");
    await answered(1);
    await say("word ".repeat(70));
    await answered(2);
    await expect.poll(() => answers().last().textContent()).toMatch(/1 old message was omitted: the context is full$/);
  });

  it("offers questions where the starter model is not sure, and asks the one that is pressed", async () => {
    const { page } = window;
    await button("New chat").click();
    await page.getByRole("combobox", { name: "Model" }).selectOption("unsure:latest");
    await button("Settings").click();
    await page.getByLabel("temperature").pressSequentially("0.75");
    expect(await page.getByLabel("temperature").inputValue()).toBe("0.75");
    await page.getByLabel("temperature").fill("0");
    await page.getByLabel("num_predict").fill("5");
    await say("zzz");
    const offered = answers().getByRole("group", { name: "Suggested questions" }).getByRole("button");
    await expect.poll(() => offered.count()).toBe(3);
    const larger = answers().getByRole("link", { name: "Pull a larger model" });
    expect(await larger.getAttribute("href")).toMatch(/\/models\?view=pull$/);
    // How fast it was not sure says nothing.
    expect(await answers().textContent()).not.toContain("token/s");
    const question = (await offered.first().textContent()) ?? "";
    await offered.first().click();
    await log().getByRole("article", { name: "You" }).getByText(question, { exact: true }).waitFor();
    // What is offered is known, so this one is answered.
    await answered(1);
    await expect.poll(() => offered.count()).toBe(0);
  });
});
