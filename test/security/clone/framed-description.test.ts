/** The description page in the console's frame has the origin of a clone's pages: by it they reach nothing of the console. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Frame } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newLoginCode } from "../../../server/supervisor/login-code.ts";
import type { ReadyFileContent } from "../../../server/supervisor/ready-file.ts";
import { openChromium, type Browser } from "../../support/console/chromium.ts";
import { siteOf } from "../../support/process/console-access.ts";
import { launchHearth, type Launched } from "../../support/process/launch.ts";
import { listen } from "../../support/process/listen.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const html = { "Content-Type": "text/html" };
const routes = [
  { path: "/evil", headers: html, body: "<!doctype html><h1>evil</h1>" },
  { path: "/{folder}/{page}", headers: html, body: "<!doctype html><h1>evil</h1>" },
];

const clone = temporaryFolder();
let hearth: Launched;
let addresses: ReadyFileContent;
let browser: Browser;
let frame: Frame;
beforeAll(async () => {
  const cwd = join(clone.path, "clone");
  mkdirSync(cwd);
  writeFileSync(join(cwd, "hearth.config.json"), JSON.stringify({ routes_file: "routes.json" }));
  writeFileSync(join(cwd, "routes.json"), JSON.stringify({ routes }));
  hearth = launchHearth({ cwd });
  addresses = await hearth.ready();
  browser = await openChromium({ locale: "en-GB" });
  const { page } = browser;
  await page.goto((await newLoginCode(addresses.console)).address);
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await page.goto(`${siteOf(addresses.console)}/console/api-docs`);
  await page.frameLocator("iframe").locator("html[data-mantine-color-scheme]").waitFor({ state: "attached" });
  const described = page.frames().find((one) => one.url().startsWith(`${addresses.app}/swagger`));
  if (!described) throw new Error("there is no frame with the description");
  frame = described;
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await hearth[Symbol.asyncDispose]();
  clone[Symbol.dispose]();
});

it("The page in the frame reads nothing of the console around it, and calls nothing of it", async () => {
  const outcome = (code: string) =>
    frame.evaluate(`(() => { try { return ${code}; } catch (error) { return error.name; } })()`);
  for (const code of [
    "parent.document.title",
    "parent.localStorage.length",
    "parent.fetch('/console/api/keys')",
    "top.location.href",
  ])
    expect(await outcome(code), code).toBe("SecurityError");
});

it("The frame shows no page of a clone, also where a route's parameters would match below the description", async () => {
  expect((await fetch(`${addresses.app}/other/page`)).status).toBe(200);
  for (const path of ["/swagger/page", "/SWAGGER/page", "/%73wagger/page", "/swagge%72/%70age"])
    expect((await fetch(addresses.app + path)).status, path).toBe(404);
  const refused = browser.page.waitForEvent("console", (message) => message.text().includes("frame-src"));
  await frame.evaluate(`void (location.href = "/evil")`);
  await refused;
  expect(browser.page.frames().some((one) => one.url() === `${addresses.app}/evil`)).toBe(false);
});

it("The description obeys no page of another origin, neither around it nor beside it", async () => {
  await using elsewhere = await listen((_request, response) => {
    response.setHeader("Content-Type", "text/html");
    response.end(`<!doctype html><iframe src="${addresses.app}/swagger"></iframe>`);
  });
  const page = await browser.page.context().newPage();
  const refused = page.waitForEvent("console", (message) => message.text().includes("frame-ancestors"));
  await page.goto(elsewhere.url);
  await refused;
  const opened = page.waitForEvent("popup");
  await page.evaluate(`void (window.other = window.open("${addresses.app}/swagger"))`);
  const description = await opened;
  await description.locator(".opblock").first().waitFor();
  // Its own listener is called after the page's: messages arrive in their order.
  const arrived = description.evaluate(
    "new Promise((resolve) => addEventListener('message', ({ data }) => resolve(data.scheme)))",
  );
  await page.evaluate(`void setInterval(() => other.postMessage({ scheme: "dark", token: "evil" }, "*"), 50)`);
  expect(await arrived).toBe("dark");
  expect(await description.locator("html.dark-mode").count()).toBe(0);
  const held = "ui.authSelectors.authorized().getIn(['sessionToken', 'value'])";
  expect(await description.evaluate(held)).toBeUndefined();
  await page.close();
});
