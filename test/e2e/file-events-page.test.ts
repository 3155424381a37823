/** The page of file events over a folder that is really watched, with real changes in it. */
import { appendFileSync, mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consoleOf } from "../support/console/console-scene.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { openWindow, type HearthWindow } from "../support/console/window.ts";

const folder = temporaryFolder();
const project = join(realpathSync(folder.path), "project");
let window: HearthWindow;

beforeAll(async () => {
  mkdirSync(join(project, "node_modules/left-pad"), { recursive: true });
  mkdirSync(join(project, "src"));
  window = await openWindow();
  await window.open("File events");
});
afterAll(async () => {
  await window[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const rowOf = (ev: string, file: string) =>
  window.page.getByRole("row").filter({ hasText: ev }).filter({ hasText: file }).first();
const folders = () => window.page.getByRole("list", { name: "Watched folders" }).getByRole("listitem");

describe("the page of file events", () => {
  it("shows while it is empty which command fills it, in the form for the Hearth that serves the page", async () => {
    await window.page.getByRole("heading", { name: "No file events yet" }).waitFor();
    const flags = `--to ${window.addresses.app}/api/inotify/ --data-dir ${window.dataDir}`;
    const command = window.page.getByText(`watch ~/project --exclude '/node_modules(/|$)' ${flags}`);
    expect(await command.textContent()).toMatch(/^(?:hearth|node \S+\/cli\.js) watch /);
  });

  it("watches a folder that is chosen in the system's dialog, and shows before what its patterns leave out", async () => {
    const { page } = window;
    await window.electron.evaluate(({ dialog }, path) => {
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] });
    }, project);
    await page.getByRole("button", { name: "Watch a folder" }).click();
    await page.getByRole("button", { name: "Choose…" }).click();
    await expect.poll(() => page.getByLabel("Folder", { exact: true }).inputValue()).toBe(project);

    const test = page.getByRole("region", { name: "Test the patterns" });
    await test.getByText("0 of 3 paths excluded").waitFor();
    await page.getByLabel("Exclude").fill("/node_modules(/|$)");
    await test.getByText("1 of 2 paths excluded").waitFor();
    await page.getByLabel("Exclude").fill("(");
    await test.getByRole("alert").waitFor();
    await page.getByLabel("Exclude").fill("/node_modules(/|$)");
    await page.getByRole("button", { name: "Watch", exact: true }).click();
    await folders().filter({ hasText: "Watching" }).waitFor();
  });

  it("shows each change as it happens, with its kind, and counts the kinds", async () => {
    const file = join(project, "src/index.ts");
    writeFileSync(file, "one\n");
    await rowOf("create", "index.ts").waitFor();
    appendFileSync(file, "two\n");
    await rowOf("modify", "index.ts").waitFor();
    writeFileSync(join(project, "node_modules/left-pad/index.js"), "x");
    rmSync(file);
    await rowOf("delete", "index.ts").waitFor();
    expect(await window.page.getByRole("row").filter({ hasText: "left-pad" }).count()).toBe(0);
    const kinds = window.page.getByRole("group", { name: "Kinds of change" });
    await expect.poll(() => kinds.getByRole("button", { name: /^delete/ }).textContent()).toBe("delete 1");
  });

  it("opens a change with all that has happened to its file, and as it is on the wire", async () => {
    const { page } = window;
    await rowOf("delete", "index.ts").click();
    const timeline = page.getByRole("region", { name: "History of this file" });
    await expect.poll(() => timeline.getByRole("button").count()).toBeGreaterThanOrEqual(3);
    expect(await timeline.textContent()).toMatch(/delete.*modify.*create/s);
    expect(new URL(page.url()).searchParams.get("event")).toMatch(/^\d+$/);
    await page.getByRole("button", { name: /^Raw form/ }).click();
    await page.getByText('"ev": "delete"').waitFor();
    await page.getByRole("button", { name: "Close" }).click();
  });

  it("shows a move as one row with both paths, found by either, and in the history of the file", async () => {
    const { page } = window;
    writeFileSync(join(project, "draft.md"), "x");
    await rowOf("create", "draft.md").waitFor();
    renameSync(join(project, "draft.md"), join(project, "src/final.md"));
    const moves = page.getByRole("row").filter({ hasText: "move" });
    await moves.filter({ hasText: "draft.md → final.md" }).waitFor();
    expect(await moves.count()).toBe(1);
    await page.getByRole("textbox", { name: "Search in paths" }).fill("draft");
    await expect.poll(() => page.getByRole("grid").getAttribute("aria-rowcount")).toBe("4");
    await moves.click();
    const timeline = page.getByRole("region", { name: "History of this file" });
    await timeline.getByText(`${join(project, "draft.md")} → ${join(project, "src/final.md")}`).waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Clear all filters" }).click();
  });

  it("narrows the list to a kind, which stays in the address over a reload", async () => {
    const { page } = window;
    await page.getByRole("button", { name: /^delete/ }).click();
    await expect.poll(() => page.getByRole("grid").getAttribute("aria-rowcount")).toBe("2");
    await page.reload();
    await rowOf("delete", "index.ts").waitFor();
    expect(await page.getByRole("grid").getAttribute("aria-rowcount")).toBe("2");
    await page.getByRole("button", { name: /^delete/ }).click();
    await rowOf("create", "index.ts").waitFor();
  });

  it("keeps nothing of what a reset removes, shown or not meanwhile, and shows what comes after it", async () => {
    const { page } = window;
    const reset = () => consoleOf(window.addresses).send("POST", "/resets", { parts: ["file_events"] });
    await window.open("Devices");
    await reset();
    writeFileSync(join(project, "first.txt"), "x");
    await window.open("File events");
    await rowOf("create", "first.txt").waitFor();
    expect(await page.getByRole("row").filter({ hasText: "index.ts" }).count()).toBe(0);
    await reset();
    await rowOf("create", "first.txt").waitFor({ state: "detached" });
    writeFileSync(join(project, "second.txt"), "x");
    await rowOf("create", "second.txt").waitFor();
  });

  it("keeps what is typed of a folder whose watch somebody else ends, and says so", async () => {
    const { page } = window;
    const { send } = consoleOf(window.addresses);
    const other = join(realpathSync(folder.path), "other");
    mkdirSync(other);
    const { id } = (await (await send("POST", "/watched-folders", { path: other })).json()) as { id: number };
    await page.getByRole("button", { name: `Patterns of ${other}` }).click();
    const patterns = page.getByLabel("Exclude");
    await patterns.fill("typed");
    await send("DELETE", `/watched-folders/${id}`, undefined);
    await page.getByText("This folder is no longer watched.").waitFor();
    expect(await patterns.inputValue()).toBe("typed");
    await patterns.fill("");
    await patterns.waitFor({ state: "detached" });
    await page.getByText("This folder is no longer watched.").waitFor();
  });

  it("pauses a folder, of which nothing is reported then, and ends its watch after asking", async () => {
    const { page } = window;
    await page.getByRole("button", { name: `Pause ${project}` }).click();
    await folders().filter({ hasText: "Paused" }).waitFor();
    writeFileSync(join(project, "unseen.txt"), "x");
    await page.getByRole("button", { name: `Resume watching ${project}` }).click();
    await folders().filter({ hasText: "Watching" }).waitFor();
    writeFileSync(join(project, "seen.txt"), "x");
    await rowOf("create", "seen.txt").waitFor();
    expect(await page.getByRole("row").filter({ hasText: "unseen.txt" }).count()).toBe(0);

    await page.getByRole("button", { name: `Patterns of ${project}` }).click();
    await page.getByRole("button", { name: "Stop watching" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Stop watching" }).click();
    await expect.poll(() => folders().count()).toBe(0);
    await rowOf("create", "seen.txt").waitFor();
  });
});
