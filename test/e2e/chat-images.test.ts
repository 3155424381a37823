/** Images in the page of chat, which sends none. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { intercept } from "../support/console/console-page.ts";
import { openWindow, type HearthWindow } from "../support/console/window.ts";

let window: HearthWindow;
beforeAll(async () => {
  window = await openWindow();
});
afterAll(() => window[Symbol.asyncDispose]());

it("says that images are not sent, where one is dropped or pasted, and which models read them", async () => {
  const { page } = window;
  await window.open("Chat");
  const notice = page.getByRole("status").filter({ hasText: "Hearth's own engine does not support images." });
  const dispatch = (event: string) =>
    page.evaluate(`{
      const data = new DataTransfer();
      data.items.add(new File(["x"], "cat.png", { type: "image/png" }));
      document.querySelector("form textarea").dispatchEvent(new ${event});
    }`);
  const init = { bubbles: true, cancelable: true };
  for (const [type, member] of [
    ["ClipboardEvent('paste'", "clipboardData"],
    ["DragEvent('drop'", "dataTransfer"],
  ]) {
    expect(await notice.count()).toBe(0);
    await dispatch(`${String(type)}, { ...${JSON.stringify(init)}, ${String(member)}: data })`);
    await expect.poll(() => notice.textContent()).toContain("Add an upstream with a vision model");
    await page.getByRole("textbox", { name: "Message" }).fill("Which ports does Hearth use?");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await notice.waitFor({ state: "detached" });
  }
  await intercept(page, /\/api\/tags$/, async (route) => {
    const response = await route.fetch();
    const { models } = (await response.json()) as { models: { name: string; capabilities: string[] }[] };
    const able = models.map((model) => ({
      ...model,
      name: "gpu/llava:latest",
      capabilities: ["completion", "vision"],
    }));
    return route.fulfill({ response, json: { models: [...models, ...able.slice(0, 1)] } });
  });
  await page.reload();
  await page.getByRole("option", { name: "gpu/llava:latest" }).waitFor({ state: "attached" });
  await dispatch(`DragEvent('drop', { ...${JSON.stringify(init)}, dataTransfer: data })`);
  await expect.poll(() => notice.textContent()).toContain("Send them to gpu/llava:latest through the API instead.");
});
