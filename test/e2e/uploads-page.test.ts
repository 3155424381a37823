/** The page of uploads: pictures, what an archive holds, and what was refused. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { logIn } from "../support/console-scene.ts";
import { pngBytes, zipBytes } from "../support/files.ts";
import { openWindow, type HearthWindow } from "../support/window.ts";

let window: HearthWindow;
const widthOf = (image: unknown) => (image as { naturalWidth: number }).naturalWidth;

beforeAll(async () => {
  window = await openWindow();
  const headers = await logIn(window.addresses, "ada");
  const files = {
    "harbour.png": pngBytes(320, 200),
    "release.zip": zipBytes({ "README.md": "# Release", "data/rows.json": "[1]" }),
    "script.exe": pngBytes(1, 1),
    "not-a.zip": pngBytes(1, 1),
  };
  for (const [name, bytes] of Object.entries(files)) {
    const form = new FormData();
    form.set("[]", new Blob([bytes]), name);
    form.set("type", "doc");
    await fetch(`${window.addresses.app}/api/uploads`, { method: "POST", headers, body: form });
  }
  await window.open("Uploads");
});
afterAll(() => window[Symbol.asyncDispose]());

describe("the page of uploads", () => {
  it("lists what an archive holds without unpacking it", async () => {
    const { page } = window;
    await page.getByRole("row").filter({ hasText: "release.zip" }).click();
    const archive = page.getByRole("region", { name: "In the archive" });
    await archive.getByText("data/rows.json").waitFor();
    expect(await archive.getByRole("listitem").count()).toBe(2);
    await page.getByRole("button", { name: "Close" }).click();
  });

  it("shows the files as pictures, each of which opens, with the choice in the address", async () => {
    const { page } = window;
    await page.getByText("Gallery").click();
    const picture = page.getByRole("button", { name: /harbour\.png/ });
    await expect.poll(() => picture.locator("img").evaluate(widthOf)).toBe(256);
    await picture.click();
    const preview = page.getByRole("img", { name: "Preview of harbour.png" });
    await expect.poll(() => preview.evaluate(widthOf)).toBe(320);
    const address = new URL(page.url());
    expect(address.searchParams.get("view")).toBe("gallery");
    expect(address.searchParams.get("upload")).toMatch(/^\d+$/);
    await page.reload();
    await preview.waitFor();
    await page.getByRole("button", { name: "Close" }).click();
  });

  it("tells which uploads were refused, and why", async () => {
    const { page } = window;
    await page.getByText("Rejected", { exact: true }).click();
    for (const name of ["script.exe", "not-a.zip"]) {
      const row = page.getByRole("row").filter({ hasText: name });
      await row.waitFor();
      expect(((await row.textContent()) ?? "").length).toBeGreaterThan(name.length + 20);
    }
  });
});
