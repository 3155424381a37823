/** The interactive description in the real window: it shows the operations, tries them, and needs nothing from elsewhere. */
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { complaintsOf } from "../support/console/chromium.ts";
import { choose } from "../support/console/console-page.ts";
import { consoleOf } from "../support/console/console-scene.ts";
import { openWindow, type HearthWindow } from "../support/console/window.ts";

let window: HearthWindow;
let docs: FrameLocator;
let complaints: readonly string[];
const foreign: string[] = [];
beforeAll(async () => {
  window = await openWindow();
  const { app, console: address } = window.addresses;
  const own = [app, new URL(address).origin].map((origin) => `${origin}/`);
  complaints = complaintsOf(window.page);
  window.page.on("request", (request) => {
    const url = request.url();
    if (!own.some((origin) => url.startsWith(origin)) && !/^(?:data|blob):/.test(url)) foreign.push(url);
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
    await expect.poll(() => summary.innerText()).toContain("Exchanges the client's login code");
    expect(await docs.locator(".opblock").count()).toBeGreaterThan(20);
  });

  it("shows operations first, and the conventions when they are asked for", async () => {
    const conventions = docs.locator(".info details");
    await conventions.getByText("Login state, formats and conventions").waitFor();
    expect(await conventions.getByRole("heading", { name: "Formats" }).isVisible()).toBe(false);
    await conventions.locator("summary").click();
    await conventions.getByRole("heading", { name: "Formats" }).waitFor();
  });

  it("is in Chinese in the Chinese console", async () => {
    const { page } = window;
    const summary = docs.locator("#operations-sessions-createSession .opblock-summary-description");
    await choose(page, /^Language/, "简体中文");
    const chinese = docs.locator("[id$=-createSession]");
    await chinese.getByText("用客户端的登录码换取会话 token").first().waitFor();
    await docs.getByRole("button", { name: "认证" }).first().waitFor();
    await chinese.locator(".opblock-summary-control").click();
    await chinese.getByRole("button", { name: "执行" }).first().waitFor();
    await chinese.getByText("请求体", { exact: true }).waitFor();
    await chinese.getByText("没有链接", { exact: true }).first().waitFor();
    await choose(page, /^语言/, "English");
    await expect.poll(() => summary.innerText()).toContain("Exchanges the client's login code");
  });

  it("tries an operation, signed in by itself, and then with the session of a chosen user", async () => {
    const { page } = window;
    await page.getByText("Signed in as").waitFor();
    expect(await tryOut("articles-createArticle")).toMatch(/^201/);
    const user = page.getByRole("combobox", { name: "User of the session" });
    await user.fill("ada");
    await user.press("Enter");
    await page.getByText("Signed in as").waitFor();
    expect(await tryOut("articles-listArticles")).toMatch(/^200/);
    await docs.locator("#operations-articles-listArticles .live-responses-table").getByText('"u2"').first().waitFor();
  });

  it("is signed in anew when the session ends, beside it and on another page", async () => {
    const { page, addresses } = window;
    const { get, send } = consoleOf(addresses);
    const token = (): Promise<unknown> =>
      docs.locator("body").evaluate("ui.authSelectors.authorized().getIn(['sessionToken', 'value'])");
    const endSessions = async () => {
      const { users } = (await get("/users?q=console")) as { users: { id: number }[] };
      const { sessions } = (await get(`/users/${String(users[0]?.id)}`)) as { sessions: { id: number }[] };
      for (const { id } of sessions) await send("DELETE", `/sessions/${id}`, {});
    };
    await page.reload();
    await expect.poll(token).toBeTypeOf("string");
    const first = await token();
    await endSessions();
    await expect.poll(token).not.toBe(first);
    expect(await tryOut("articles-listArticles")).toMatch(/^200/);
    const second = await token();
    await window.open("Overview");
    await endSessions();
    await window.open("API docs");
    await expect.poll(token).toBeTypeOf("string");
    await expect.poll(token).not.toBe(second);
    expect(await tryOut("articles-listArticles")).toMatch(/^200/);
  });

  it("has the colours of the console in both themes", async () => {
    const { page } = window;
    const background = (of: { evaluate(script: string): Promise<unknown> }) =>
      of.evaluate("getComputedStyle(document.body).backgroundColor");
    const seen = new Set<unknown>();
    for (const theme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await page.locator(`html[data-mantine-color-scheme=${theme}]`).waitFor();
      const frame = page.frames().find((one) => one !== page.mainFrame());
      if (!frame) throw new Error("there is no frame with the description");
      await expect.poll(() => background(frame)).toBe(await background(page));
      seen.add(await background(page));
    }
    expect(seen.size).toBe(2);
  });

  it("keeps the chosen theme where the system has the other one", async () => {
    const { page } = window;
    const isDark = () => docs.locator("html").evaluate("document.documentElement.matches('.dark-mode')");
    for (const [system, theme] of [
      ["dark", "Light"],
      ["light", "Dark"],
    ] as const) {
      await page.emulateMedia({ colorScheme: system });
      await choose(page, /^Theme/, theme);
      await page.reload();
      await docs.locator(".opblock").first().waitFor();
      await expect.poll(isDark, { message: theme }).toBe(theme === "Dark");
    }
    await choose(page, /^Theme/, "System");
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
    expect(complaints.join("\n")).toBe("");
  });
});

describe("the guides", () => {
  it("are there in the console's language, and link to each other", async () => {
    const { page } = window;
    await window.open("Guides");
    const guides = page.getByRole("navigation", { name: "Guides" });
    await guides.getByRole("button", { name: "Take a payment with" }).click();
    await page.getByRole("heading", { level: 3, name: "Ways to pay" }).waitFor();
    await page.getByRole("article").getByRole("button", { name: "Simulate a failed payment" }).click();
    await page.getByRole("heading", { level: 2, name: "Simulate a failed payment" }).waitFor();
    expect(new URL(page.url()).searchParams.get("guide")).toBe("failed-payments");
    expect(await page.getByRole("article").textContent()).not.toContain("<!--");
    await choose(page, /^Language/, "简体中文");
    await page
      .getByRole("navigation", { name: "指南" })
      .getByRole("button", { name: "用 Hearth 的服务器收款" })
      .waitFor();
    await choose(page, /^语言/, "English");
  });

  it("are found by what they say, at the place where they say it", async () => {
    const { page } = window;
    await page.getByRole("searchbox", { name: "Search the guides" }).fill("trade_type JSAPI");
    const hit = page.getByRole("navigation", { name: "Guides" }).getByRole("button", { name: /Ways to pay/ });
    await hit.click();
    await page.getByRole("heading", { level: 3, name: "Ways to pay" }).waitFor();
    expect(new URL(page.url()).searchParams.get("section")).toBe("ways-to-pay");
    await page.getByRole("searchbox", { name: "Search the guides" }).fill("no such words anywhere");
    await page.getByText("0 sections").waitFor();
    expect(foreign).toEqual([]);
  });
});
