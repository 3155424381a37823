/** The page of settings: what is changed there is in the configuration file, and counts at the next start. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { settings } from "../../renderer/i18n/en/settings.ts";
import type { ServiceStatus } from "../../server/contract/process/services.ts";
import { answerBehindEvent, hear, refuse } from "../support/console/console-page.ts";
import { consoleOf } from "../support/console/console-scene.ts";
import { openWindow, type HearthWindow } from "../support/console/window.ts";

let window: HearthWindow;
const file = () => join(window.dataDir, "hearth.config.json");
const names = settings.name;
const row = (name: string) =>
  window.page.getByRole("group", { name: name in names ? names[name as keyof typeof names] : name, exact: true });

beforeAll(async () => {
  window = await openWindow();
  await window.open("Settings");
});
afterAll(() => window[Symbol.asyncDispose]());

describe("the page of settings", () => {
  it("shows a setting with its meaning and its value", async () => {
    await row("session_ttl_seconds").getByText("Lifetime of a session token in seconds.").waitFor();
    expect(await row("session_ttl_seconds").getByRole("textbox").inputValue()).toBe("7200");
  });

  it("leads to a group of settings by its index", async () => {
    const { page } = window;
    const heading = page.getByRole("heading", { name: "Payments", exact: true });
    await page
      .getByRole("navigation", { name: "Groups of settings" })
      .getByRole("button", { name: "Payments" })
      .click();
    await expect.poll(async () => (await heading.boundingBox())?.y ?? 1_000).toBeLessThan(200);
  });

  it("makes a key that it shows once, and removes it", async () => {
    const { page } = window;
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByRole("dialog").getByRole("textbox", { name: "Name", exact: true }).fill("my laptop");
    await page.getByRole("button", { name: "Create key" }).click();
    const secret = await page.getByText(/^hearth_[\w-]{43}$/).innerText();
    await page.getByRole("button", { name: "Done" }).click();
    const key = page.getByRole("group", { name: "my laptop" });
    await key.getByText("Use models").waitFor();
    expect(await page.content()).not.toContain(secret);
    await key.getByRole("button", { name: "Remove the key my laptop" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await expect.poll(() => key.count()).toBe(0);
  });

  it("shows what has been changed elsewhere when its user comes back, and keeps what is typed", async () => {
    const { page } = window;
    const { send } = consoleOf(window.addresses);
    await row("raffle_draw_ms").getByRole("textbox").fill("77");
    await send("PATCH", "/settings", { values: { maintenance: true, allowed_hosts: ["a.example"] } });
    await send("POST", "/keys", { name: "made elsewhere", scopes: ["model:use"] });
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await page.getByRole("group", { name: "made elsewhere" }).waitFor();
    await expect.poll(() => row("maintenance").getByRole("switch").isChecked()).toBe(true);
    await row("allowed_hosts").getByText("a.example").waitFor();
    // None was allowed until then, which needs no line.
    expect(await row("allowed_hosts").getByText("Until then").count()).toBe(0);
    expect(await row("raffle_draw_ms").getByRole("textbox").inputValue()).toBe("77");
    await page.getByRole("button", { name: "Discard" }).click();
    await send("PATCH", "/settings", { values: { maintenance: null, allowed_hosts: null } });
    rmSync(file());
  });

  it("finds by name and by meaning", async () => {
    const { page } = window;
    await page.getByRole("textbox", { name: "Search in settings" }).fill("raffle");
    await expect.poll(() => row("session_ttl_seconds").count()).toBe(0);
    await row("raffle_draw_ms").waitFor();
    await page.getByRole("textbox", { name: "Search in settings" }).fill("");
    await row("session_ttl_seconds").waitFor();
  });

  it("leaves a field empty that is emptied, for another value to be typed, and shows the default behind it", async () => {
    const { page } = window;
    for (const [name, standard, typed] of [
      ["session_ttl_seconds", "7200", "77"],
      ["host", "127.0.0.1", "::1"],
    ] as const) {
      const field = row(name).getByRole("textbox");
      await field.focus();
      await page.keyboard.press("Control+a");
      await page.keyboard.press("Backspace");
      expect([await field.inputValue(), await field.getAttribute("placeholder")]).toEqual(["", standard]);
      await page.keyboard.type(typed);
      expect(await field.inputValue()).toBe(typed);
    }
    await page.getByRole("button", { name: "Discard" }).click();
  });

  it("keeps what is typed until it is saved, and says why a value is refused, at its field, which it leads to", async () => {
    const { page } = window;
    await row("session_ttl_seconds").getByRole("textbox").fill("0");
    await page.getByText("1 unsaved change").waitFor();
    expect(existsSync(file())).toBe(false);
    await page.getByRole("textbox", { name: "Search in settings" }).fill("metrics");
    await expect.poll(() => row("session_ttl_seconds").count()).toBe(0);
    await page.getByRole("button", { name: "Save" }).click();
    await row("session_ttl_seconds")
      .getByText(/not valid/)
      .waitFor();
    await page
      .getByRole("region", { name: "1 unsaved change" })
      .getByText(/not valid/)
      .waitFor();
    await row("session_ttl_seconds").locator("input:focus").waitFor();
    expect(existsSync(file())).toBe(false);
  });

  it("writes what is saved into the file, says what it waits for, and restarts what uses it", async () => {
    const { page } = window;
    await row("session_ttl_seconds").getByRole("textbox").fill("60");
    await row("identity_app_secret").getByLabel(names.identity_app_secret).fill("a-secret-of-mine");
    await page.getByRole("button", { name: "Save" }).click();
    await row("session_ttl_seconds").getByText("after a restart").waitFor();
    expect(JSON.parse(readFileSync(file(), "utf8"))).toEqual({
      session_ttl_seconds: 60,
      identity_app_secret: "a-secret-of-mine",
    });
    await page.reload();
    await row("session_ttl_seconds").getByText("after a restart").waitFor();
    await row("session_ttl_seconds").getByText("Until then: 7200").waitFor();
    expect(await row("session_ttl_seconds").getByRole("textbox").inputValue()).toBe("60");
    expect(await page.content()).not.toContain("a-secret-of-mine");
    await page.getByRole("button", { name: "Restart now" }).click();
    await row("session_ttl_seconds").getByText("from the file").waitFor();
    // A key pressed by mistake in the field of a secret, and taken back, is no wish to remove it.
    const secret = row("identity_app_secret").getByLabel(names.identity_app_secret);
    await row("identity_app_secret").getByRole("button", { name: "Show the text" }).click();
    await secret.fill("seen-by-its-user");
    const stored = "JSON.stringify([{ ...localStorage }, { ...sessionStorage }])";
    expect(await page.evaluate<string>(stored)).not.toContain("seen-by-its-user");
    await page.getByRole("button", { name: "Save" }).waitFor();
    await secret.fill("");
    await page.getByRole("button", { name: "Save" }).waitFor({ state: "detached" });
    await expect.poll(() => row("session_ttl_seconds").getByText("after a restart").count()).toBe(0);
    expect(await row("session_ttl_seconds").getByRole("textbox").inputValue()).toBe("60");
  });

  it("shows what counts once the services were restarted elsewhere", async () => {
    const { get, send } = consoleOf(window.addresses);
    /** When the application server that answers came up; undefined while none does. */
    const upSince = async () => {
      const overview = (await get("/overview").catch(() => ({ services: [] }))) as { services: ServiceStatus[] };
      return overview.services.find(({ name, state }) => name === "app" && state === "up")?.since;
    };
    const before = await upSince();
    await send("PATCH", "/settings", { values: { session_ttl_seconds: 62 } });
    await window.page.evaluate("dispatchEvent(new Event('focus'))");
    await row("session_ttl_seconds").getByText("Until then: 60").waitFor();
    await send("POST", "/settings/restarts", {});
    await expect.poll(() => row("session_ttl_seconds").getByText("after a restart").count()).toBe(0);
    expect(await row("session_ttl_seconds").getByRole("textbox").inputValue()).toBe("62");
    // What counts is known before the server that used to answer has gone.
    await expect.poll(async () => ![before, undefined].includes(await upSince())).toBe(true);
  });

  it("keeps what is changed while the changes before are being saved, and covers no button by what it tells", async () => {
    const { page } = window;
    /** Whether what is told ends above the bar of the changes. */
    const isAboveBar = () =>
      page.evaluate(`{
        const box = (of) => document.querySelector(of)?.getBoundingClientRect();
        box(".mantine-Notification-root")?.bottom <= box("[data-lower-edge]")?.top;
      }`);
    await row("session_ttl_seconds").getByRole("textbox").fill("61");
    await answerBehindEvent(page, ["PATCH", /\/settings$/], () =>
      row("raffle_draw_ms").getByRole("textbox").fill("1234"),
    );
    await hear(page, "Saved", async () => {
      await page.getByRole("button", { name: "Save" }).click();
      await row("session_ttl_seconds").getByText("after a restart").waitFor();
      await page.getByText("1 unsaved change").waitFor();
      await expect.poll(isAboveBar).toBe(true);
    });
    await page.getByRole("button", { name: "Save" }).click();
    await row("raffle_draw_ms").getByText("after a restart").waitFor();
    expect(JSON.parse(readFileSync(file(), "utf8"))).toMatchObject({ session_ttl_seconds: 61, raffle_draw_ms: 1234 });
  });

  it("saves a field as empty where that is a value of its own, and the default by the reset", async () => {
    const { page } = window;
    const setting = row("models_dir");
    const written = () => JSON.parse(readFileSync(file(), "utf8")) as object;
    await setting.getByRole("textbox").fill("/models");
    await setting.getByRole("textbox").fill("");
    await page.getByRole("button", { name: "Save" }).click();
    await setting.getByText("after a restart").waitFor();
    expect(written()).toHaveProperty("models_dir", "");
    await setting.getByRole("button", { name: "Remove models_dir from the file" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(written).not.toHaveProperty("models_dir");
  });

  it("takes a configuration file in beside what is typed, to be looked at before it is saved", async () => {
    const { page } = window;
    await row("raffle_draw_ms").getByRole("textbox").fill("77");
    await page.locator("input[type=file]").setInputFiles({
      name: "hearth.config.json",
      mimeType: "application/json",
      buffer: Buffer.from(JSON.stringify({ json_indent: 4, maintenance: true })),
    });
    await page.getByText("3 unsaved changes").waitFor();
    // A field that held the file would report no second choice of it.
    expect(await page.locator("input[type=file]").inputValue()).toBe("");
    expect(await row("json_indent").getByRole("textbox").inputValue()).toBe("4");
    expect(await row("raffle_draw_ms").getByRole("textbox").inputValue()).toBe("77");
    await page.getByRole("button", { name: "Discard" }).click();
    expect(await row("json_indent").getByRole("textbox").inputValue()).toBe("0");
  });

  it("shows the sizes in the data directory, and deletes orphaned contents after a confirmation", async () => {
    const { page } = window;
    const orphan = join(window.dataDir, "uploads", "orphans", "0".repeat(64));
    mkdirSync(join(orphan, ".."), { recursive: true });
    writeFileSync(orphan, Buffer.alloc(5_000_000));
    const end = await refuse(page, ["POST", /[/]storage[/]counts/]);
    const count = page.getByRole("button", { name: "Count again" });
    await hear(page, /Out of order[.]/, () => count.click());
    end();
    await count.click();
    await row("Orphaned content").getByText("5.0 MB").waitFor();
    await row("Orphaned content").getByText("1 file").waitFor();
    const remove = row("Orphaned content").getByRole("button", { name: "Delete: Orphaned content" });
    await remove.click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    expect(existsSync(orphan)).toBe(true);
    await remove.click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await row("Orphaned content").getByText("0 files").waitFor();
    expect([existsSync(orphan), await remove.isDisabled()]).toEqual([false, true]);
    await row("Application database").getByText("kB").or(row("Application database").getByText("MB")).waitFor();
  });
});
