/** A page that a clone's routes file serves, at the origin of the application server: it reaches nothing of the console. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newLoginCode } from "../../../server/supervisor/login-code.ts";
import type { ReadyFileContent } from "../../../server/supervisor/ready-file.ts";
import { openChromium, type Browser } from "../../support/console/chromium.ts";
import { consoleOf } from "../../support/console/console-scene.ts";
import { startTestApp } from "../../support/app/test-app.ts";
import { userFiles } from "../../support/app/user-files.ts";
import { siteOf } from "../../support/process/console-access.ts";
import { launchHearth, type Launched } from "../../support/process/launch.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const routes = [
  {
    path: "/evil",
    headers: { "Content-Type": "text/html" },
    body: "<!doctype html><h1>evil</h1><script src=/evil.js></script>",
  },
  { path: "/evil.js", headers: { "Content-Type": "text/javascript" }, body: "document.body.append('script ran')" },
  { path: "/worker.js", headers: { "Content-Type": "text/javascript" }, body: "self.onfetch = () => {}" },
];

const clone = temporaryFolder();
let hearth: Launched;
let addresses: ReadyFileContent;
let browser: Browser;
let site: string;
beforeAll(async () => {
  const cwd = join(clone.path, "clone");
  mkdirSync(cwd);
  writeFileSync(join(cwd, "hearth.config.json"), JSON.stringify({ routes_file: "routes.json" }));
  writeFileSync(join(cwd, "routes.json"), JSON.stringify({ routes }));
  hearth = launchHearth({ cwd });
  addresses = await hearth.ready();
  site = siteOf(addresses.console);
  browser = await openChromium({ locale: "en-GB" });
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await hearth[Symbol.asyncDispose]();
  clone[Symbol.dispose]();
});

/** Runs code in the clone's page, and answers what it returns. */
const onPage = <Result>(page: Page, code: string) => page.evaluate<Result>(`(async () => { ${code} })()`);

/** How a request of the page ends: its status, or that the browser lets it read nothing. */
const ask = (page: Page, url: string, init = "{}") =>
  onPage<number | string>(
    page,
    `return fetch(${JSON.stringify(url)}, { credentials: "include", ...${init} })
       .then((reply) => reply.status, () => "refused");`,
  );

const keysOf = async () => consoleOf(addresses).get("/keys");

describe.each(["without a login", "with the console logged in in the same browser"])("%s", (state) => {
  let page: Page;
  beforeAll(async () => {
    page = browser.page;
    if (state.startsWith("with the")) {
      await page.goto((await newLoginCode(addresses.console)).address);
      await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    }
    await page.goto(`${addresses.app}/evil`);
    await page.getByText("script ran").waitFor();
  });

  it("reads no answer of the console, at its own origin and at the application server's", async () => {
    for (const path of ["/console/", "/console/api/overview", "/console/api/settings"]) {
      expect(await ask(page, site + path), path).toBe("refused");
      if (path !== "/console/") expect(await ask(page, addresses.app + path), path).toBe(403);
    }
  });

  it("changes nothing, by requests that need no permission and by forms", async () => {
    const before = await keysOf();
    const post = `{ method: "POST", mode: "no-cors", body: JSON.stringify({ name: "evil", scopes: ["control"] }) }`;
    expect(await ask(page, `${site}/console/api/keys`, post)).toBe("refused");
    await ask(page, `${addresses.app}/console/api/keys`, post);
    const status = page.context().waitForEvent("response", (one) => one.url() === `${site}/console/api/tokens`);
    await onPage(
      page,
      `const form = Object.assign(document.createElement("form"), {
         action: "${site}/console/api/tokens", method: "POST", target: "_blank", enctype: "text/plain" });
       document.body.append(form); form.submit();`,
    );
    expect((await status).status()).toBe(403);
    for (const other of page.context().pages()) if (other !== page) await other.close();
    expect(await keysOf()).toEqual(before);
  });

  it("frames no page of the console", async () => {
    const refused = page.waitForResponse((one) => one.url() === `${site}/console/`);
    await onPage(
      page,
      `document.body.append(Object.assign(document.createElement("iframe"), { src: "${site}/console/" }));`,
    );
    expect((await refused).status()).toBe(403);
    expect(page.frames().some((frame) => frame.url().startsWith(site))).toBe(false);
    await onPage(page, `document.querySelector("iframe").remove();`);
  });

  it("opens a window that it cannot look into or steer", async () => {
    const opened = page.context().waitForEvent("page");
    await onPage(page, `window.other = window.open("${site}/console/");`);
    const other = await opened;
    await other.waitForLoadState();
    expect(await other.evaluate("window.opener")).toBeNull();
    await expect.poll(() => page.evaluate("window.other.closed")).toBe(true);
    await other.close();
  });

  it("registers no service worker, and starts no worker of the console's files", async () => {
    expect(
      await onPage(
        page,
        `return navigator.serviceWorker.register("/worker.js").then(() => "registered", (error) => error.name);`,
      ),
    ).not.toBe("registered");
    expect(await onPage(page, `return (await navigator.serviceWorker.getRegistrations()).length;`)).toBe(0);
    const start = `try { new Worker("${site}/console/first-paint.js"); return "started"; } catch (error) { return error.name; }`;
    expect(await onPage(page, start)).toBe("SecurityError");
  });

  it("loads no script or picture of the console", async () => {
    const load = (tag: string, path: string) =>
      onPage(
        page,
        `return new Promise((resolve) => document.head.append(Object.assign(document.createElement("${tag}"), {
           src: "${site}${path}", onload: () => resolve("loaded"), onerror: () => resolve("refused") })));`,
      );
    expect(await load("script", "/console/first-paint.js")).toBe("refused");
    expect(await load("img", "/console/icon.svg")).toBe("refused");
  });

  it("sees no cookie of the console, and ends no login by one of its own", async () => {
    const name = `hearth_console_${new URL(site).port}`;
    for (const path of ["/console", "/console/api", "/"])
      await onPage(page, `document.cookie = "${name}=evil; path=${path}";`);
    expect(await page.evaluate<string>("document.cookie")).not.toMatch(new RegExp(`${name}=(?!evil)`));
    if (!state.startsWith("with the")) return;
    await page.goto(`${site}/console/`);
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    expect(await page.getByRole("dialog", { name: "Log in" }).count()).toBe(0);
    await page.goto(`${addresses.app}/evil`);
  });
});

it.each([
  { "Set-Cookie": "hearth_console_3082=x; Path=/console" },
  { "Set-Cookie": "=hearth_console_3082=x; Path=/console" },
  { "Set-Cookie": "\t= Hearth_Console_3082=x" },
  { "X-Content-Type-Options": "sniff" },
  { "Clear-Site-Data": '"cookies"' },
  { "Clear-Site-Data": '"*"' },
  { "Service-Worker-Allowed": "/" },
])("cannot be served with %j, which would reach the console", async (headers) => {
  await using app = await startTestApp();
  const failed = await userFiles(app).failRoutes({ routes: [{ path: "/evil", headers, body: "x" }] });
  expect(JSON.stringify(failed)).toMatch(/headers.*omit it/i);
  expect((await fetch(`${app.url}/evil`)).status).toBe(404);
});

it("keeps the console's pages at no path that a route may have", async () => {
  const leads = async (path: string) => {
    const reply = await fetch(addresses.app + path, { redirect: "manual" });
    return [reply.status, reply.headers.get("location"), reply.headers.get("clear-site-data")];
  };
  expect(await leads("/console")).toEqual([307, `${site}/console`, '"storage"']);
  expect(await leads("/console/users?code=AAAA-BBBB-CCCC&token=t")).toEqual([
    307,
    `${site}/console/users`,
    '"storage"',
  ]);
  expect(await leads("/")).toEqual([302, `${site}/console/`, null]);
  expect((await fetch(`${site}/evil`)).status).toBe(404);
  expect((await fetch(`${site}/api/articles`)).status).toBe(404);
});
