/** What a page could not read: it says so where it would be shown, and reads it when it is told to try again. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { intercept } from "../support/console/console-page.ts";
import { fillConsole } from "../support/console/console-scene.ts";
import { openWindow, type HearthWindow } from "../support/console/window.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();
let window: HearthWindow;

beforeAll(async () => {
  window = await openWindow();
  await fillConsole(window.addresses, folder.path);
});
afterAll(async () => {
  await window[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

describe("What could not be read is said, and read when tried again", () => {
  it.each([
    ["the traffic", "", /\/requests\/traffic$/],
    ["the events by their sources", "", /\/events\/counts$/],
    ["a phone's permissions", "phone?user=ada&screen=settings", /\/sim\/users\/ada\/settings$/],
    ["a person's permissions", "users?person=ada", /\/sim\/users\/ada\/settings$/],
    ["a user", "users?user=u1", /\/users\/1$/],
    ["the banned addresses", "users?user=u1", /\/bans$/],
    ["a user's addresses", "users?user=u1", /\/requests\?.*uid=u1/],
    ["requests over time", "requests", /\/requests\/histogram/],
    ["the users of a new request", "requests?request=new", /\/users\?limit/],
    ["events over time", "events", /\/events\/histogram/],
    ["an event", "events?event=1&q=nothing", /\/events\?.*before=2/],
    ["a change of a file", "file-events?event=1&q=nothing", /\/file-events\?.*before=2/],
    ["the changes of a file", "file-events?event=1", /\/file-events\?.*path=/],
    ["the watched folders", "file-events", /\/watched-folders$/],
    ["an upload", "uploads?upload=1&view=lost", /\/uploads\?.*before=2/],
    ["the refused uploads", "uploads?view=rejected", /\/events\?.*type=upload.rejected/],
    ["the contents of the uploads", "uploads", /\/upload-contents$/],
    ["the requests beside faults", "faults", /\/requests\/traffic$/],
    ["what is stored", "collections?view=storage", /\/requests\/count$/],
    ["the builds for GPUs", "settings", /\/gpu-engine$/],
    ["the loaded models", "models", /\/api\/ps$/],
  ] as const)("%s", async (_name, address, read) => {
    const { page } = window;
    // What happens meanwhile has pages read again by themselves: only what a press has asked for is answered.
    const isTried = () => page.evaluate<boolean>("window.isTried === true").catch(() => false);
    const end = await intercept(page, read, async (route) =>
      (await isTried()) ? route.fallback() : route.fulfill({ status: 503, json: { Message: "Out of order." } }),
    );
    await page.goto(new URL(`/console/${address}`, page.url()).href);
    if (address.startsWith("phone")) await page.getByRole("button", { name: "Open the app" }).click();
    await page.evaluate(`addEventListener("click", ({ target }) => {
      window.isTried ||= target.closest("[role=alert] button") !== null;
    }, true)`);
    const failures = page.getByRole("alert").filter({ hasText: "Out of order." });
    await failures.first().getByRole("button", { name: "Try again" }).click();
    await expect.poll(() => failures.count()).toBe(0);
    end();
  });
});
