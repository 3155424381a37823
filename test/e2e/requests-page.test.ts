/** The page of requests in the window: what a person sees of real calls, and does with them. */
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hear, violationsOf } from "../support/console/console-page.ts";
import { consoleOf, logIn } from "../support/console/console-scene.ts";
import { pngBytes } from "../support/files.ts";
import { openWindow, type HearthWindow } from "../support/console/window.ts";

let window: HearthWindow;
let ada: Record<string, string>;

beforeAll(async () => {
  window = await openWindow();
  ada = await logIn(window.addresses, "ada");
  await window.open("Requests");
});
afterAll(() => window[Symbol.asyncDispose]());

const api = (path: string, init: RequestInit = {}) =>
  fetch(`${window.addresses.app}${path}`, {
    ...init,
    headers: { ...ada, ...(init.headers as Record<string, string>) },
  });
const post = (path: string, body: unknown) =>
  api(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

const table = () => window.page.getByRole("grid", { name: "Requests" });
const row = (text: string | RegExp): Locator => table().getByRole("row").filter({ hasText: text });
const inspector = () => window.page.getByRole("region", { name: /^[A-Z]+ \// });
const tab = (name: string) => inspector().getByRole("tab", { name, exact: true });
const openRow = async (text: string | RegExp) => {
  const found = row(text).first();
  if ((await found.getAttribute("aria-selected")) !== "true") await found.click();
  // Until then the inspector may show another one.
  await row(text).and(window.page.locator('[aria-selected="true"]')).waitFor();
  await inspector().waitFor();
};
const path = () => new URL(window.page.url()).searchParams;

describe("The page of requests", () => {
  it("shows each request as it ends, with its status, user and service", async () => {
    await post("/api/articles", { title: "Seen at once" });
    await row(/201POST\/api\/articles/).waitFor();
    await row(/appu1/).first().waitFor();
    await api("/api/articles/4711");
    await row(/404GET\/api\/articles\/4711/).waitFor();
  });

  it("narrows the list by status, path and text in a body, and keeps that in the address", async () => {
    const { page } = window;
    await page.getByRole("combobox", { name: "Status" }).selectOption({ label: "Refused or failed" });
    await row("/api/sessions").first().waitFor({ state: "detached" });
    await row("/api/articles/4711").waitFor();
    expect(path().get("status")).toBe("failed");

    await page.getByRole("combobox", { name: "Status" }).selectOption({ label: "All statuses" });
    await page.keyboard.press("/");
    await page.keyboard.type("seen AT once");
    await row("/api/articles/4711").waitFor({ state: "detached" });
    await row(/201POST\/api\/articles/).waitFor();
    await expect.poll(() => path().get("q")).toBe("seen AT once");
    await page.reload();
    await row(/201POST\/api\/articles/).waitFor();
    expect(await table().getByRole("row").count()).toBe(2); // the head and the one
    await page.getByRole("button", { name: "Clear the field" }).click();

    await page.getByRole("textbox", { name: /^Path/ }).fill("/api/articles/*");
    await expect.poll(() => path().get("path")).toBe("/api/articles/*");
    await row("/api/sessions").first().waitFor({ state: "detached" });
    await row("/api/articles/4711").waitFor();
    await page.getByRole("textbox", { name: /^Path/ }).fill("");
    await expect.poll(() => path().get("path")).toBe(null);
  });

  it("opens a request with its headers and bodies, laid out, and without its token", async () => {
    await openRow(/201POST\/api\/articles/);
    await inspector().getByText("127.0.0.1", { exact: true }).waitFor();
    await expect.poll(() => violationsOf(window.page), { interval: 200 }).toEqual([]);
    await tab("Request").click();
    await inspector().getByText('"title"').waitFor();
    await inspector().getByText("Bearer {{session:1}}").waitFor();
    await tab("Response").click();
    await inspector().getByText('"owner_uid"').waitFor();
    await window.page.getByRole("heading", { name: "POST /api/articles" }).click();
    await window.page.keyboard.press("r");
    await inspector().getByText('"request_size"').waitFor();
    expect(await inspector().textContent()).not.toContain((ada["authorization"] ?? "").slice("Bearer ".length));
  });

  it("shows the fields and files of a form, and a picture as one", async () => {
    const form = new FormData();
    form.set("type", "poster");
    form.set("[]", new File([pngBytes(24, 16, [200, 90, 30])], "harbour.png", { type: "image/png" }));
    await api("/api/uploads", { method: "POST", body: form });
    await openRow("/api/uploads");
    await tab("Request").click();
    await inspector().getByText("poster").waitFor();
    const picture = inspector().getByRole("img", { name: "harbour.png" });
    await picture.waitFor();
    const widthOf = () => picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth);
    await expect.poll(widthOf).toBe(24);
  });

  it("replays the arrival of a streamed answer", async () => {
    const { model } = window.addresses;
    const chat = { model: "hearth-starter", messages: [{ role: "user", content: "Hello" }], options: { seed: 2 } };
    const reply = await fetch(`${model ?? ""}/api/chat`, { method: "POST", body: JSON.stringify(chat) });
    const lines = (await reply.text()).trim().split("\n");
    await openRow("/api/chat");
    await tab("Response").click();
    const count = lines.length;
    await inspector()
      .getByText(new RegExp(`^${String(count)} of ${String(count)} pieces`))
      .waitFor();
    await inspector().getByRole("slider").press("Home");
    await inspector()
      .getByText(new RegExp(`^0 of ${String(count)} pieces`))
      .waitFor();
    await inspector().getByRole("button", { name: "Replay the stream" }).click();
    await inspector()
      .getByText(new RegExp(`^${String(count)} of ${String(count)} pieces`))
      .waitFor();
    await inspector().getByText("Wire").click();
    await inspector().getByText('"created_at"').first().waitFor();
    await expect.poll(() => violationsOf(window.page), { interval: 200 }).toEqual([]);
  });

  it("copies a request as a command that works", async () => {
    await openRow("/api/articles/4711");
    await inspector().getByRole("button", { name: "Copy as" }).click();
    const curl = window.page.getByRole("menuitem", { name: "curl" });
    await hear(window.page, "Copied as curl.", () => curl.click());
    const text = await window.electron.evaluate(({ clipboard }) => clipboard.readText());
    expect(text).toContain(`curl ${window.addresses.app}/api/articles/4711`);
    expect(text).toContain("$HEARTH_TOKEN");
  });

  it("sends a request again with changes and shows the answers side by side", async () => {
    await openRow("/api/articles/4711");
    await inspector().getByRole("button", { name: "Edit" }).click();
    const form = inspector().getByRole("form", { name: "Edit" });
    await form.getByRole("textbox", { name: "Path and query" }).fill("no slash");
    await form.getByRole("button", { name: "Send" }).click();
    await form.getByText("must start with '/'").waitFor();
    await form.getByRole("textbox", { name: "Path and query" }).fill("/api/articles/1");
    await form.getByRole("button", { name: "Send" }).click();
    await tab("Compare").waitFor();
    await inspector().getByRole("region", { name: "Before" }).getByText("404").waitFor();
    await inspector().getByRole("region", { name: "Now" }).getByText("200").waitFor();
    await inspector().getByText("+ GET /api/articles/1").waitFor();
    await row(/200GET.*\/api\/articles\/1/)
      .first()
      .waitFor();
  });

  it("sends a new request to a service, signed in as a session's user, and opens its record", async () => {
    const { page } = window;
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { name: "Requests" }).waitFor();
    await page.keyboard.press("n");
    const form = page.getByRole("region", { name: "New request" }).getByRole("form");
    await expect.poll(() => path().get("request")).toBe("new");
    await form.getByRole("combobox", { name: "Signed in as" }).selectOption({ label: "ada · Session 1" });
    await form.getByText("Authorization: Bearer {{session:1}}").waitFor();
    await expect.poll(() => violationsOf(page), { interval: 200 }).toEqual([]);
    await form.getByRole("combobox", { name: "Method" }).click();
    await page.getByRole("listbox", { name: "Method" }).getByRole("option", { name: "POST" }).click();
    await form.getByRole("textbox", { name: "Path and query" }).fill("api/articles");
    await form.getByRole("textbox", { name: "Body" }).fill('{ "title": "From scratch" }');
    await form.getByRole("button", { name: "Send" }).click();
    await form.getByText("must start with '/'").waitFor();
    await form.getByRole("textbox", { name: "Path and query" }).fill("/api/articles");
    await form.getByRole("button", { name: "Send" }).click();
    await page.getByRole("region", { name: "POST /api/articles" }).waitFor();
    await inspector().getByText("201").first().waitFor();
    await tab("Response").click();
    await inspector().getByText('"From scratch"').waitFor();
    expect(await tab("Compare").count()).toBe(0);

    await page.getByRole("button", { name: "New request" }).click();
    await form.getByRole("combobox", { name: "Service" }).selectOption("model");
    expect(await form.getByRole("combobox", { name: "Signed in as" }).isDisabled()).toBe(true);
    await form.getByRole("textbox", { name: "Path and query" }).fill("/api/version");
    await form.getByRole("button", { name: "Send" }).click();
    await page.getByRole("region", { name: "GET /api/version" }).waitFor();
    await row(/200GET.*\/api\/version/)
      .first()
      .waitFor();
  });

  it("keeps a pinned request in sight while the list is scrolled to what is old, page by page", async () => {
    const { page } = window;
    await openRow("/api/uploads");
    await inspector().getByRole("button", { name: "Pin to the top" }).click();
    const pinned = table().getByRole("rowgroup", { name: "Pinned" }).getByRole("row");
    await pinned.waitFor();
    await page.keyboard.press("Escape");
    for (let batch = 0; batch < 5; batch++)
      await Promise.all(Array.from({ length: 50 }, (_, index) => fetch(`${window.addresses.app}/n/${batch}-${index}`)));
    await row("/n/4-").first().waitFor();
    await expect
      .poll(async () => {
        await table().evaluate((grid) => {
          const scroller = grid as unknown as { scrollTop: number; scrollHeight: number };
          scroller.scrollTop = scroller.scrollHeight;
        });
        return row("/sim/users/ada/login").count();
      })
      .toBe(1);
    expect(await pinned.isVisible()).toBe(true);
    await page.reload();
    await pinned.getByText("/api/uploads").waitFor();
  });

  it("exports what the filter fits as a HAR, and clears everything after a question", async () => {
    const { page } = window;
    await page.getByRole("combobox", { name: "Status" }).selectOption({ label: "Refused or failed" });
    await page.getByRole("textbox", { name: /^Path/ }).fill("/api/**");
    await expect.poll(() => path().get("path")).toBe("/api/**");
    await page.getByRole("button", { name: "More" }).click();
    const link = page.getByRole("menuitem", { name: "Export filtered as HAR" });
    const har = await page.evaluate<{ log: { entries: { request: { url: string } }[] } }>(
      `fetch(${JSON.stringify(await link.getAttribute("href"))}).then((r) => r.json())`,
    );
    expect(har.log.entries.map(({ request }) => new URL(request.url).pathname)).toEqual(["/api/articles/4711"]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Clear" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Clear" }).click();
    await page.getByText("No requests match").waitFor();
    await page.getByRole("button", { name: "Show all requests" }).click();
    await page.getByText(`curl ${window.addresses.app}/api/articles`).waitFor();
  });

  it("sends the lines of an edited request as they were recorded", async () => {
    const body = '{\r\n  "title": "lines"\r\n}';
    const headers = { "content-type": "application/json" };
    await fetch(`${window.addresses.app}/api/lines-of-a-request`, { method: "POST", headers, body });
    await openRow("/api/lines-of-a-request");
    await inspector().getByRole("button", { name: "Edit" }).click();
    const form = inspector().getByRole("form", { name: "Edit" });
    await form.getByRole("textbox", { name: "Body" }).waitFor();
    await form.getByRole("textbox", { name: "Path and query" }).fill("/api/lines-sent-again");
    await form.getByRole("button", { name: "Send" }).click();
    await tab("Compare").waitFor();
    const { get } = consoleOf(window.addresses);
    const { requests } = (await get("/requests?q=lines-sent-again")) as { requests: { id: number }[] };
    expect(await get(`/requests/${String(requests[0]?.id)}`)).toMatchObject({ request: { body: { text: body } } });
  });
});
