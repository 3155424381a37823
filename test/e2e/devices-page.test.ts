/** A phone asks, a person lets it in with one click, and takes it back: the console and the phone's browser beside each other. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDeviceHttps } from "../../server/stand-in/device-https.ts";
import { lanAddress, wifi } from "../support/app/lan-caller.ts";
import { consoleToken, startTestApp, type TestApp } from "../support/app/test-app.ts";
import { openChromium, type Browser } from "../support/console/chromium.ts";
import { openPage, violationsOf } from "../support/console/console-page.ts";
import { openPhone } from "../support/console/phone-browser.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();
let app: TestApp;
let laptop: Browser;
let phone: Browser;
const onPhone = () => `http://${lanAddress}:${app.port}/`;
beforeAll(async () => {
  const consoleFolder = join(import.meta.dirname, "../../dist/renderer");
  app = await startTestApp({ interfaces: () => [wifi], openHttps: () => openDeviceHttps(folder.path), consoleFolder });
  laptop = await openChromium({ locale: "en-GB", viewport: { width: 1440, height: 900 } });
  phone = await openPhone("en-GB");
  await laptop.page.goto(`${app.consoleUrl}/console/devices?token=${consoleToken}`);
  await laptop.page.getByRole("heading", { level: 1, name: "Devices" }).waitFor({ state: "attached" });
});
afterAll(async () => {
  await phone[Symbol.asyncDispose]();
  await laptop[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});
const heading = () => phone.page.getByRole("heading", { level: 1 });

describe("the page of devices", () => {
  it("shows the address as a code and in words once it is switched on, and where a device gets the certificate for HTTPS", async () => {
    const { page } = laptop;
    await page.getByRole("switch", { name: "Open Hearth to this network" }).click();
    await page.getByRole("img", { name: `QR code of https://${lanAddress}:${app.port}` }).waitFor();
    await page.getByText(`https://${lanAddress}:${app.port}`, { exact: true }).waitFor();
    await page.getByText(`${onPhone()}hearth-authority.crt`, { exact: true }).waitFor();
    await page.getByText("sudo ufw allow in on wifi0").waitFor();
  });

  it("shows a phone that calls, and lets it in with one click, while its page goes on by itself", async () => {
    await phone.page.goto(onPhone());
    expect(await heading().innerText()).toBe("This device is waiting for access");
    expect(await violationsOf(phone.page)).toEqual([]);
    const word = await phone.page.locator("code").first().innerText();
    expect(await laptop.page.getByText(/^A device on the network requests/).count()).toBe(0); // this page has it already
    await laptop.page.getByRole("button", { name: `Allow ${word}` }).click();
    await laptop.page.getByRole("button", { name: `Remove ${word}` }).waitFor();
    await expect.poll(() => heading().innerText()).toBe("This device has access");
    expect(await phone.page.locator("code").allInnerTexts()).toEqual([`https://${lanAddress}:${app.port}`]);
    expect(await phone.page.getByRole("link", { name: /certificate/ }).getAttribute("href")).toBe(
      "/hearth-authority.crt",
    );
    await phone.page.goto(`${onPhone()}console/`);
    expect(await heading().innerText()).toBe("Not available to devices");
  });

  it("is accessible in both themes, and fits a narrow window", async () => {
    const { page } = laptop;
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await expect.poll(() => violationsOf(page), { interval: 200, message: colorScheme }).toEqual([]);
    }
    await page.setViewportSize({ width: 420, height: 800 });
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBe(420);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("takes a device back, which waits again, as every page then says", async () => {
    const remove = laptop.page.getByRole("button", { name: /^Remove / });
    await remove.click();
    await remove.waitFor({ state: "detached" });
    await openPage(laptop.page, "Overview");
    await phone.page.goto(onPhone());
    expect(await heading().innerText()).toBe("This device is waiting for access");
    await laptop.page.getByText(/^A device on the network requests access: /).waitFor();
    await laptop.page.getByRole("button", { name: "Allow" }).click();
    await expect.poll(() => heading().innerText()).toBe("This device has access");
    await laptop.page.getByText(/^A device on the network requests/).waitFor({ state: "detached" });
    expect(laptop.complaints.join("\n")).toBe("");
  });
});
