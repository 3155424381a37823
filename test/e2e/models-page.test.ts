/** The page of models over a real runner, with a registry of the test's own to pull from. */
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hear, intercept } from "../support/console/console-page.ts";
import { layers, startRegistry } from "../support/model/model-registry.ts";
import { freePort } from "../support/process/free-port.ts";
import { randomGgufBytes, writeRandomGguf } from "../support/model/random-gguf.ts";
import { startScriptedUpstream } from "../support/model/scripted-upstream.ts";
import { openWindow, type HearthWindow } from "../support/console/window.ts";

let window: HearthWindow;
let registry: Awaited<ReturnType<typeof startRegistry>>;
let upstream: Awaited<ReturnType<typeof startScriptedUpstream>>;

beforeAll(async () => {
  registry = await startRegistry();
  upstream = await startScriptedUpstream();
  window = await openWindow(
    (dataDir) => {
      mkdirSync(join(dataDir, "models"));
      writeRandomGguf(join(dataDir, "models", "tiny.gguf"), {});
      writeFileSync(join(dataDir, "models", "pirate.rules.yaml"), "rules:\n  - text: Ahoy\n");
    },
    { upstreams: [`gpu=${upstream.url}?prefix=gpu/`] },
  );
  await window.open("Models");
});
afterAll(async () => {
  await window[Symbol.asyncDispose]();
  await registry[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

const row = (name: string) => window.page.getByRole("row").filter({ hasText: name });
const job = (name: string) =>
  window.page.getByRole("list", { name: "In progress" }).getByRole("listitem").filter({ hasText: name }).first();
const button = (name: string) => window.page.getByRole("button", { name, exact: true });

describe("the page of models", () => {
  it("lists what is installed, and finds by name", async () => {
    await row("hearth-starter:latest").waitFor();
    await row("tiny:latest").waitFor();
    await window.page.getByRole("textbox", { name: "Find a model" }).fill("tin");
    await expect.poll(() => row("hearth-starter").count()).toBe(0);
    await window.page.getByRole("textbox", { name: "Find a model" }).fill("");
    await row("hearth-starter").waitFor();
  });

  it("opens a model by its address: whether it fits, and the texts that it is made of", async () => {
    const { page } = window;
    await row("tiny:latest").click();
    await expect.poll(() => new URL(page.url()).searchParams.get("model")).toBe("tiny:latest");
    const memory = page.getByRole("region", { name: "Memory" });
    await memory.getByText("Fits", { exact: true }).waitFor();
    await memory.getByText("A context of up to 2,048 tokens fits.").waitFor();
    await page.getByRole("tab", { name: "Template" }).click();
    await page.getByRole("tabpanel").getByText("<|im_start|>").first().waitFor();
  });

  it("shows a model that answers by rules as what it is, and chats with it", async () => {
    const { page } = window;
    await row("pirate:latest").getByText("Answers by rules").waitFor();
    await row("pirate:latest").click();
    await page.getByText("Scripted model for tests: it answers by the rules of a file").waitFor();
    await page.getByRole("link", { name: "Chat", exact: true }).last().click();
    await page.getByRole("textbox", { name: "Message" }).fill("Hello");
    await page.keyboard.press("Enter");
    await page.getByText("Ahoy", { exact: true }).waitFor();
    await window.open("Models");
    await row("tiny:latest").click();
  });

  it("shows at which upstream a model runs, and whether that answers; Overview does, too", async () => {
    const { page } = window;
    await row("gpu/m:latest").getByText("gpu", { exact: true }).waitFor();
    await row("gpu/m:latest").click();
    const place = page.getByRole("region", { name: "Runs on" });
    await place.getByText(upstream.url).waitFor();
    await place.getByText("up", { exact: true }).waitFor();
    await window.open("Overview");
    const card = page.getByRole("article", { name: "Model service" });
    await card.getByRole("list", { name: "Upstreams" }).getByText(upstream.url).waitFor();
    await window.open("Models");
    await row("tiny:latest").click();
  });

  it("loads it with a chosen window, shows it in memory with the time that is left, and unloads it", async () => {
    const { page } = window;
    await page.getByLabel("Context (tokens)").fill("512");
    await page.getByLabel("Unload after").selectOption("1 hour");
    await button("Load").click();
    const loaded = page.getByRole("list", { name: "Models in memory" }).getByRole("listitem");
    await expect.poll(() => loaded.textContent()).toMatch(/tiny:latest.*context 512.*unloads in (60|59)/);
    await button("Unload tiny:latest").click();
    await expect.poll(() => loaded.count()).toBe(0);
  });

  it("makes a new model by a Modelfile, says which line is wrong, and copies and deletes it", async () => {
    const { page } = window;
    await button("New from this").click();
    await page.getByLabel("Name of the new model").fill("brief");
    const write = async (text: string) => {
      await page.getByRole("textbox", { name: "Modelfile" }).click();
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.insertText(text);
    };
    await write("FROM tiny\nPARAMETER top_k many\n");
    await button("Create").click();
    await job("brief").getByRole("alert").filter({ hasText: "(line 2)" }).waitFor();
    await button("New model").click();
    await page.getByLabel("Name of the new model").fill("brief");
    await write('FROM tiny\nSYSTEM """Be brief."""\n');
    await button("Create").click();
    await row("brief:latest").click();
    await page.getByRole("tabpanel").getByText("Be brief.").waitFor();

    await button("Copy").click();
    await page.getByLabel("Name of the copy").fill("second");
    await button("Create copy").click();
    await row("second:latest").waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get("model")).toBe("second:latest");
    const answer = Promise.withResolvers<void>();
    await intercept(page, /\/api\/delete/, async (route) => {
      const response = await route.fetch();
      await answer.promise;
      await route.fulfill({ response });
    });
    await button("Delete").click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    // What is opened before the answer comes stays.
    await button("New model").click();
    await page.getByLabel("Name of the new model").fill("kept");
    await hear(page, "Deleted: second:latest", async () => answer.resolve());
    await expect.poll(() => row("second:latest").count()).toBe(0);
    expect(await page.getByLabel("Name of the new model").inputValue()).toBe("kept");
  });

  it("asks before a copy takes the place of an installed model, and says that a new one would", async () => {
    const { page } = window;
    const ask = async (path: string, body?: object) =>
      (
        await fetch(`${String(window.addresses.model)}${path}`, body && { method: "POST", body: JSON.stringify(body) })
      ).text();
    const digestOf = async (name: string) =>
      (JSON.parse(await ask("/api/tags")) as { models: { name: string; digest: string }[] }).models.find(
        (model) => model.name === name,
      )?.digest;
    for (const model of ["mine", "other"])
      await ask("/api/create", { model, from: "tiny", system: model, stream: false });
    // Other programs' models are seen at the next visit, or some time later.
    await page.reload();
    const notice = page.getByText("mine:latest is installed. The new model replaces it.");
    await button("New model").click();
    await page.getByLabel("Name of the new model").fill("Mine");
    await notice.waitFor();
    const modelfile = page.getByRole("textbox", { name: "Modelfile" });
    await modelfile.fill("FROM mine");
    await row("other:latest").click();
    const unsaved = page.getByRole("dialog", { name: "Discard the changes?" });
    await unsaved.getByRole("button", { name: "Cancel" }).click();
    await unsaved.waitFor({ state: "hidden" });
    expect(await modelfile.innerText()).toBe("FROM mine");
    await page.keyboard.press("Escape");
    await unsaved.getByRole("button", { name: "Discard" }).click();

    const [before, after] = [await digestOf("mine:latest"), await digestOf("other:latest")];
    await row("other:latest").click();
    await button("Copy").click();
    await page.getByLabel("Name of the copy").fill("Mine");
    await notice.waitFor();
    await button("Create copy").click();
    const question = page.getByRole("dialog", { name: "Replace mine:latest?" });
    await question.getByRole("button", { name: "Cancel" }).click();
    await question.waitFor({ state: "hidden" });
    expect(await digestOf("mine:latest")).toBe(before);
    await button("Create copy").click();
    await question.getByRole("button", { name: "Replace" }).click();
    await expect.poll(() => digestOf("mine:latest")).toBe(after);
  });

  it("makes a model of a GGUF file of this computer: nothing else, stopped on the way, and never sent twice", async () => {
    const { page } = window;
    const bytes = randomGgufBytes({ name: "Mine" });
    const choose = (name: string, buffer: Buffer) =>
      page.getByLabel("GGUF file", { exact: true }).and(page.locator("input[type=file]")).setInputFiles({
        name,
        mimeType: "application/octet-stream",
        buffer,
      });
    await button("New model").click();
    await page.getByRole("radiogroup", { name: "Source" }).getByText("GGUF file").click();
    await choose("weights.gguf", Buffer.from("PK\x03\x04 no model"));
    await page.getByRole("alert").filter({ hasText: "weights.gguf is not a GGUF file" }).waitFor();
    await choose("my-00001-of-00002.gguf", bytes);
    await page.getByRole("alert").filter({ hasText: "one of several parts" }).waitFor();
    expect(await button("Create").isDisabled()).toBe(true);

    const sent: string[] = [];
    page.on("request", (request) => void (request.url().includes("/api/blobs/") && sent.push(request.method())));
    const sendOn = await intercept(page, /\/api\/blobs\//, async (route) =>
      route.request().method() === "POST" ? undefined : route.continue(),
    );
    await choose("my model.gguf", bytes);
    await button("Create").click();
    await job("my-model")
      .getByText(/Sending · 0\sB of 707\skB/)
      .waitFor();
    const ended = page.waitForEvent("requestfailed", (request) => request.method() === "POST");
    await button("Stop my-model").click();
    await expect.poll(() => job("my-model").count()).toBe(0);
    await ended;
    sendOn();

    for (const name of ["my-model", "again"]) {
      await button("New model").click();
      await page.getByRole("radiogroup", { name: "Source" }).getByText("GGUF file").click();
      await choose("my model.gguf", bytes);
      await expect.poll(() => page.getByLabel("Name of the new model").inputValue()).toBe("my-model");
      await page.getByLabel("Name of the new model").fill(name);
      await button("Create").click();
      await row(`${name}:latest`).waitFor();
    }
    expect(sent).toEqual(["HEAD", "POST", "HEAD", "POST", "HEAD"]);
  });

  it("pulls with progress, stops, and goes on from what came", async () => {
    const { page } = window;
    const { name } = registry.publish("m", [
      layers.model(randomGgufBytes({ name: "Pulled" })),
      layers.license("Take it."),
    ]);
    const held = Promise.withResolvers<void>();
    registry.misbehave(async ({ at }, res) => {
      if (at !== "cdn") return false;
      held.resolve();
      await once(res, "close");
      return true;
    });
    await button("Pull a model").click();
    await page.getByRole("textbox", { name: "Model", exact: true }).fill(name);
    await page.getByLabel("Plain HTTP").check();
    await button("Pull").click();
    await held.promise;
    await job(name).getByRole("progressbar").first().waitFor();
    await button(`Stop ${name}`).click();
    await job(name).getByText("Stopped. The downloaded part is kept.").waitFor();
    await page.reload();
    registry.misbehave(() => false);
    await button(`Resume ${name}`).click();
    await job(name).getByText("Done").waitFor();
    await button(`Open ${name}`).click();
    await page.getByRole("tab", { name: "Licence" }).click();
    await page.getByRole("tabpanel").getByText("Take it.").waitFor();
  });

  it("says that a registry cannot be reached, and tries again on demand", async () => {
    const { page } = window;
    const host = `127.0.0.1:${String(await freePort())}`;
    const name = `${host}/library/away`;
    await button("Pull a model").click();
    await page.getByRole("textbox", { name: "Model", exact: true }).fill(name);
    await button("Pull").click();
    await job(name).getByText(`${host} refuses the connection: nothing listens there`, { exact: true }).waitFor();
    await button(`Retry ${name}`).click();
    await job(name).getByText(`${host} refuses the connection: nothing listens there`).waitFor();
  });
});
