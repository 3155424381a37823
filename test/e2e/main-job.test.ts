/** The whole of Hearth by real clients, with everything that a person sees checked in the real window. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { siteOf } from "../support/process/console-access.ts";
import { Ollama } from "../clients/node_modules/ollama/dist/index.mjs";
import { pngBytes, zipBytes } from "../support/files.ts";
import { builtCommand, plainEnvironment } from "../support/process/launch.ts";
import { isRunning, sendSignal } from "../support/process/processes.ts";
import { servicePids } from "../support/process/service-statuses.ts";
import { writeRandomGguf } from "../support/model/random-gguf.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { openWindow, type HearthWindow } from "../support/console/window.ts";

const run = promisify(execFile);
const folder = temporaryFolder();
let window: HearthWindow;

beforeAll(async () => {
  window = await openWindow((dataDir) => {
    mkdirSync(join(dataDir, "models"));
    writeRandomGguf(join(dataDir, "models", "tiny.gguf"), {});
  });
});
afterAll(async () => {
  await window[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** curl, the client that everybody has: status, headers by lower-case name, body. */
async function curl(...args: string[]) {
  const { stdout } = await run("curl", ["-sS", "-i", ...args]);
  const [head = "", ...rest] = stdout.split("\r\n\r\n");
  const [statusLine = "", ...lines] = head.split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 2)]),
  );
  return { status: Number(statusLine.split(" ")[1]), headers, body: rest.join("\r\n\r\n") };
}
const json = (body: string) => ["-H", "Content-Type: application/json", "-d", body];
const rowWith = (text: string) => window.page.getByRole("row").filter({ hasText: text }).first();

describe("a whole day with Hearth in the window", () => {
  let token: string[];

  it("opens a window that shows every service up", async () => {
    for (const name of ["Application server", "Model service", "Model runner"])
      await expect
        .poll(() => window.page.getByRole("article", { name }).getByRole("status").textContent())
        .toContain("Up");
    const server = window.page.getByRole("article", { name: "Application server" });
    for (const [name, address] of [
      ["Application", window.addresses.app],
      ["Console", siteOf(window.addresses.console)],
      ["Platform", window.addresses.provider],
    ] as const)
      expect(await server.getByRole("listitem").filter({ hasText: name }).getByRole("link").textContent()).toBe(
        address,
      );
  });

  it("lets a client log in with a code and pass both 401 steps", async () => {
    const { app, provider } = window.addresses;
    const sim = async (step: string) => (await curl("-X", "POST", `${provider}/sim/users/eve/${step}`)).body;
    const articles = () => curl(`${app}/api/articles`, ...(token ?? []));

    const created = await curl(`${app}/api/sessions`, ...json(await sim("login")));
    expect(created.status).toBe(201);
    const { status } = JSON.parse(created.body) as { status: { access_token: string } };
    token = ["-H", `Authorization: Bearer ${status.access_token}`];

    const first = await articles();
    expect([first.status, first.headers["www-authenticate"]]).toEqual([401, "getUserInfo"]);
    expect((await curl(`${app}/api/userinfos`, ...token, ...json(await sim("user-info")))).status).toBe(201);
    const second = await articles();
    expect([second.status, second.headers["www-authenticate"]]).toEqual([401, "getPhoneNumber"]);
    expect((await curl(`${app}/api/phonenumbers`, ...token, ...json(await sim("phone-number")))).status).toBe(201);
    expect((await articles()).status).toBe(200);

    await window.open("Events");
    await rowWith("session.created").waitFor();
    await rowWith("user.updated").waitFor();
  });

  it("takes a PNG and a zip, which the window shows with a preview", async () => {
    const files = { "picture.png": pngBytes(320, 200), "多文件.zip": zipBytes({ "a.txt": "a", "b.txt": "b" }) };
    for (const [name, bytes] of Object.entries(files)) {
      const path = join(folder.path, name);
      writeFileSync(path, bytes);
      const result = await curl(`${window.addresses.app}/api/uploads`, ...token, "-F", `[]=@${path}`, "-F", "type=doc");
      expect([result.status, JSON.parse(result.body)]).toEqual([
        201,
        expect.objectContaining({ success: true, id: expect.any(Number) }),
      ]);
    }
    await window.open("Uploads");
    await rowWith("多文件.zip").waitFor();
    await rowWith("picture.png").click();
    const preview = window.page.getByRole("img", { name: "Preview of picture.png" });
    await expect
      .poll(() => preview.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
      .toBe(320);
  });

  it("uploads a file that a person drops into the window, by the same route", async () => {
    await window.page
      .getByLabel("Files to upload")
      .setInputFiles({ name: "from-the-window.png", mimeType: "image/png", buffer: Buffer.from(pngBytes(10, 10)) });
    await rowWith("from-the-window.png").waitFor();
  });

  it("shows what happens in a watched folder: created, modified, moved, deleted", async () => {
    await window.open("Events");
    const watched = realpathSync(folder.path);
    const watcher = spawn(
      process.execPath,
      [
        builtCommand,
        "watch",
        watched,
        "--to",
        `${window.addresses.app}/api/inotify/`,
        "--data-dir",
        join(folder.path, "watcher"),
        "--exclude",
        "/watcher(/|$)",
      ],
      {
        env: plainEnvironment(),
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    try {
      let said = "";
      watcher.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
      await expect.poll(() => said).toMatch(/watching/i);
      const shell = (command: string) => run("sh", ["-c", command], { cwd: watched });
      const shown = (change: string, path: string) => rowWith(`${change} · ${join(watched, path)}`).waitFor();

      await shell("echo one > notes.txt");
      await shown("create", "notes.txt");
      await shell("echo two >> notes.txt");
      await shown("modify", "notes.txt");
      await shell("mv notes.txt renamed.txt");
      await rowWith(`${join(watched, "notes.txt")} → ${join(watched, "renamed.txt")}`).waitFor();
      await shell("chmod 600 renamed.txt");
      await shown("attrib", "renamed.txt");
      await shell("rm renamed.txt");
      await shown("delete", "renamed.txt");
    } finally {
      watcher.kill("SIGTERM");
      await once(watcher, "exit");
    }
  });

  it("streams an answer of a GGUF model in the chat, which can be stopped", async () => {
    await window.open("Chat");
    const { page } = window;
    await page.getByRole("combobox", { name: "Model" }).selectOption("hearth-starter:latest");
    await page.getByRole("textbox", { name: "Message" }).fill("What is Hearth?");
    await page.getByRole("button", { name: "Send" }).click();
    const answer = page.getByRole("article", { name: "hearth-starter:latest" }).last();
    await expect.poll(() => answer.textContent()).toMatch(/token\/s/);
    expect((await answer.textContent())?.length).toBeGreaterThan(60);

    await page.getByRole("combobox", { name: "Model" }).selectOption("tiny:latest");
    await page.getByRole("textbox", { name: "Message" }).fill("Go on for ever");
    await page.getByRole("button", { name: "Send" }).click();
    const endless = page.getByRole("article", { name: "tiny:latest" }).last();
    await expect.poll(async () => (await endless.textContent())?.length ?? 0).toBeGreaterThan(40);
    await page.getByRole("button", { name: "Stop" }).click();
    await expect.poll(() => endless.textContent()).toContain("Stopped");
  });

  it("lets the unmodified ollama client list and chat with the same models", async () => {
    const ollama = new Ollama({ host: window.addresses.model ?? "" });
    expect((await ollama.list()).models.map(({ name }) => name).sort()).toEqual([
      "hearth-starter:latest",
      "tiny:latest",
    ]);
    let text = "";
    for await (const part of await ollama.chat({
      model: "hearth-starter",
      messages: [{ role: "user", content: "What is Hearth?" }],
      stream: true,
    }))
      text += part.message.content;
    expect(text.length).toBeGreaterThan(10);
  });

  it("shows the model service going down and coming up again when it is killed, and chats on", async () => {
    await window.open("Overview");
    const card = window.page.getByRole("article", { name: "Model service" });
    const pidShown = async () => Number((await card.textContent())?.match(/Process\D*(\d+)/)?.[1]);
    await expect.poll(pidShown).toBeGreaterThan(1);
    const pid = await pidShown();
    sendSignal(pid, "SIGKILL");
    await expect.poll(() => card.textContent()).toMatch(/Restarts\D*1/);
    await expect.poll(() => card.getAttribute("data-state")).toBe("up");

    const ollama = new Ollama({ host: window.addresses.model ?? "" });
    const { message } = await ollama.chat({ model: "hearth-starter", messages: [{ role: "user", content: "Hello" }] });
    expect(message.content).not.toBe("");
    await window.open("Events");
    await rowWith("model · restarting").waitFor();
  });

  it("ends every process when the window is closed", async () => {
    const pids = await servicePids(window.addresses);
    expect(pids.every(isRunning)).toBe(true);
    await window.electron.close();
    await expect.poll(() => pids.filter(isRunning)).toEqual([]);
  });
});
