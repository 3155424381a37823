/** The page of uploads: pictures, what an archive holds, and what was refused. */
import { mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hear } from "../support/console/console-page.ts";
import { consoleOf, logIn } from "../support/console/console-scene.ts";
import { pngBytes, zipBytes } from "../support/files.ts";
import { openWindow, type HearthWindow } from "../support/console/window.ts";

let window: HearthWindow;
const widthOf = (image: unknown) => (image as { naturalWidth: number }).naturalWidth;

beforeAll(async () => {
  window = await openWindow((dataDir) => writeFileSync(join(dataDir, "requests.db"), "not a database ".repeat(1_000)));
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

  it("says which uploads have lost their content, and takes it back by a button", async () => {
    const { page, dataDir } = window;
    const uploads = join(dataDir, "uploads");
    const kept = join(dataDir, "kept");
    await page.getByText("Table", { exact: true }).click();
    const row = page.getByRole("row").filter({ hasText: "harbour.png" });
    await row.waitFor();
    const folders = readdirSync(uploads).filter((name) => /^[0-9a-f]{2}$/.test(name));
    mkdirSync(kept);
    for (const name of folders) renameSync(join(uploads, name), join(kept, name));
    // Somebody asks for one of them.
    const [{ id }] = ((await consoleOf(window.addresses).get("/uploads?limit=1")) as { uploads: [{ id: number }] })
      .uploads;
    await consoleOf(window.addresses)
      .get(`/uploads/${String(id)}/content`)
      .catch(() => undefined);
    const contents = page.getByRole("region", { name: "Content of the uploads" });
    await contents.getByText("1 upload has lost its content").waitFor();
    await contents.getByRole("button", { name: "Check again" }).click();
    await contents.getByText("2 uploads have lost their content").waitFor();
    await contents.getByText("2 uploads are still lost.").waitFor();
    await contents.getByText(`Put the files back into ${uploads}`).waitFor();
    await row.getByText("Missing").waitFor();
    await row.click();
    await page.getByText("The content is missing").waitFor();
    await page.getByRole("button", { name: "Close", exact: true }).click();

    await window.open("Overview");
    const damage = page.getByRole("region", { name: "Damage" });
    await damage.getByText(`are kept as ${join(dataDir, "requests.db.broken")}`).waitFor();
    await damage.getByText("2 uploads have lost their content.").waitFor();
    await page.getByRole("link", { name: "What to do" }).click();
    await row.waitFor();
    expect(new URL(page.url()).searchParams.get("view")).toBe("lost");

    for (const name of folders) renameSync(join(kept, name), join(uploads, name));
    await hear(page, "2 uploads recovered. All uploads have their content.", () =>
      contents.getByRole("button", { name: "Check again" }).click(),
    );
    await page.getByText("No lost uploads").waitFor();
    await contents.waitFor({ state: "detached" });
  });

  it("shows which uploads were refused, and why", async () => {
    const { page } = window;
    await page.getByText("Rejected", { exact: true }).click();
    for (const name of ["script.exe", "not-a.zip"]) {
      const row = page.getByRole("row").filter({ hasText: name });
      await row.waitFor();
      expect(((await row.textContent()) ?? "").length).toBeGreaterThan(name.length + 20);
    }
  });
});
