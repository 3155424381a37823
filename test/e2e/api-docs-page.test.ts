/** The interactive description in the real window: it shows the operations, tries them, and needs nothing from elsewhere. */
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openWindow, type HearthWindow } from "../support/console/window.ts";

let window: HearthWindow;
let docs: FrameLocator;
const complaints: string[] = [];
const foreign: string[] = [];
beforeAll(async () => {
  window = await openWindow();
  const { app } = window.addresses;
  window.page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  window.page.on("request", (request) => {
    if (!request.url().startsWith(`${app}/`) && !/^(?:data|blob):/.test(request.url())) foreign.push(request.url());
  });
  await window.open("API docs");
  docs = window.page.frameLocator("iframe");
});
afterAll(() => window[Symbol.asyncDispose]());

async function tryOut(operation: string): Promise<string> {
  const block = docs.locator(`#operations-${operation}`);
  await block.locator(".opblock-summary-control").click();
  await block.getByRole("button", { name: "Execute" }).click();
  return block.locator(".live-responses-table tbody .response-col_status").first().innerText();
}

describe("the interactive description", () => {
  it("shows the operations with what they do", async () => {
    const summary = docs.locator("#operations-sessions-createSession .opblock-summary-description");
    await expect.poll(() => summary.innerText()).toContain("Exchanges the code of the client login");
    expect(await docs.locator(".opblock").count()).toBeGreaterThan(20);
  });

  it("tries an operation: 401 without a session, and a new article with that of a chosen user", async () => {
    expect(await tryOut("articles-listArticles")).toMatch(/^401/);
    await window.page.getByRole("combobox", { name: "User whose session is used" }).fill("ada");
    await window.page.getByRole("button", { name: "Sign in" }).click();
    await window.page.getByText("What is tried out is sent as ada now.").waitFor();
    expect(await tryOut("articles-createArticle")).toMatch(/^201/);
  });

  it("leaves a token that is typed in in no storage of the browser", async () => {
    await docs.locator(".auth-wrapper .authorize").click();
    const scheme = docs.locator(".auth-container", { hasText: "sessionToken (http, Bearer)" });
    await scheme.getByRole("button", { name: "Remove authorization" }).click();
    await scheme.getByRole("textbox").fill("typed-in-token");
    await scheme.getByRole("button", { name: "Apply credentials" }).click();
    await scheme.getByRole("button", { name: "Remove authorization" }).waitFor();
    const stored = "JSON.stringify([{ ...localStorage }, { ...sessionStorage }])";
    expect(await window.page.evaluate<string>(stored)).not.toContain("typed-in-token");
  });

  it("asks nothing of any other server, and stays within its own policy", () => {
    expect(foreign).toEqual([]);
    // The browser itself tells of the 401 that was asked for.
    expect(complaints.filter((one) => !one.includes("401"))).toEqual([]);
  });
});
