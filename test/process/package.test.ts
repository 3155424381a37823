import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chatOnce } from "../support/model/chat.ts";
import { launchHearth } from "../support/process/launch.ts";
import { pngBytes } from "../support/files.ts";
import { isRunning } from "../support/process/processes.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const packageScript = fileURLToPath(new URL("../../build/package.ts", import.meta.url));
/** The packaged program's binary in the folder that electron-builder makes for each system. */
const binaries: Partial<Record<NodeJS.Platform, string>> = {
  linux: "linux-unpacked/hearth",
  win32: "win-unpacked/Hearth.exe",
  darwin: `mac${process.arch === "arm64" ? "-arm64" : ""}/Hearth.app/Contents/MacOS/Hearth`,
};

describe("the packaged program", () => {
  // Outside the checkout: there, a module that was left out would be found in a node_modules above.
  const folder = temporaryFolder();
  const binary = join(folder.path, binaries[process.platform] ?? "");
  beforeAll(() => {
    execFileSync(process.execPath, [packageScript, "--output", folder.path], { stdio: "pipe" });
  }, 300_000);
  afterAll(() => folder[Symbol.dispose]());

  it("answers with every service, chats with its starter model and ends cleanly, without Node or npm", async () => {
    const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
    await using hearth = launchHearth({
      command: [binary, ...asRoot],
      cwd: folder.path,
      env: { PATH: join(folder.path, "nothing") },
    });
    const { app, provider, model } = await hearth.ready();
    for (const url of [app, provider, model ?? ""]) expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect((await fetch(`${app}/swagger/docs/v1`)).status).toBe(200);
    expect((await fetch(`${app}/console/`)).status).toBeLessThan(500);
    expect(await chatOnce(model ?? "")).toMatchObject({ done: true, text: expect.stringMatching(/\S/) });
    const pids = await hearth.pids();
    hearth.child.kill("SIGTERM");
    expect(await hearth.exited).toBe(0);
    expect(pids.filter(isRunning)).toEqual([]);
    expect(hearth.leftovers()).toEqual([]);
  });

  it("finds what is loaded lazily: pictures, collections, certificates, the reference client, the watcher", async () => {
    const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
    using data = temporaryFolder();
    mkdirSync(join(data.path, "collections"));
    const schema = {
      type: "object",
      properties: { name: { type: "string" } },
      "x-hearth": { generate: { count: 3, seed: 1 } },
    };
    writeFileSync(join(data.path, "collections", "books.json"), JSON.stringify(schema));
    await using hearth = launchHearth({
      command: [binary, ...asRoot],
      cwd: folder.path,
      dataDir: data.path,
      env: { PATH: join(folder.path, "nothing") },
    });
    const { app, provider, console: address } = await hearth.ready();
    const authorized = { Authorization: `Bearer ${new URL(address).searchParams.get("token") ?? ""}` };
    const tokens = await fetch(`${app}/console/api/tokens`, { method: "POST", headers: authorized });
    const { access_token } = (await tokens.json()) as { access_token: string };
    const headers = { Authorization: `Bearer ${access_token}` };

    const form = new FormData();
    form.append("[]", new File([pngBytes(40, 40)], "a.png"));
    const upload = await fetch(`${app}/api/uploads`, { method: "POST", body: form, headers });
    const { id } = (await upload.json()) as { id: number };
    expect((await fetch(`${app}/api/uploads/${id}/thumbnail`, { headers })).status).toBe(200);
    const books = (await (await fetch(`${app}/api/books`, { headers })).json()) as { data: unknown[] };
    expect(books.data).toHaveLength(3);
    const credentials = (await (await fetch(`${provider}/sim/credentials`)).json()) as { platform_certificate: string };
    expect(credentials.platform_certificate).toContain("BEGIN CERTIFICATE");
    expect((await fetch(`${app}/console/client.js`)).status).toBe(200);
    const watched = await fetch(`${app}/console/api/watched-folders`, {
      method: "POST",
      headers: { ...authorized, "Content-Type": "application/json" },
      body: JSON.stringify({ path: folder.path }),
    });
    expect(watched.status).toBe(201);
  });

  it("is its own command: its console names its path, by which it answers, and watches", async () => {
    const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
    using data = temporaryFolder();
    using watched = temporaryFolder();
    const env = { PATH: join(folder.path, "nothing") };
    await using hearth = launchHearth({ command: [binary, ...asRoot], cwd: folder.path, dataDir: data.path, env });
    const { app, console: address } = await hearth.ready();
    const headers = { Authorization: `Bearer ${new URL(address).searchParams.get("token") ?? ""}` };
    const read = async (path: string) => (await fetch(`${app}/console/api/${path}`, { headers })).json();
    expect(await read("overview")).toMatchObject({ command: { name: binary, flags: `--data-dir ${data.path}` } });

    await using token = launchHearth({ command: [binary, ...asRoot, "token", "ada"], dataDir: data.path, env });
    expect(await token.exited).toBe(0);
    expect(token.output()).toMatch(/^[\w-]{43}$/m);

    await using watch = launchHearth({
      command: [binary, ...asRoot, "watch", watched.path, "--to", `${app}/api/inotify/`],
      dataDir: data.path,
      env,
    });
    await expect.poll(watch.output).toContain("watching");
    writeFileSync(join(watched.path, "a.txt"), "");
    const told = async () => JSON.stringify(await read("file-events"));
    await expect.poll(told).toContain(join(watched.path, "a.txt"));
  });

  it("does not run as a bare Node", async () => {
    await using hearth = launchHearth({
      command: [binary, "-e", "process.stdout.write('ran')"],
      env: { ELECTRON_RUN_AS_NODE: "1" },
    });
    await hearth.exited;
    expect(hearth.output()).not.toContain("ran");
  });

  it("has its code in the archive, and outside only what is opened or served as a file", () => {
    const macResources = join(dirname(dirname(binary)), "Resources");
    const resources = process.platform === "darwin" ? macResources : join(dirname(binary), "resources");
    expect(readdirSync(resources)).toEqual(expect.arrayContaining(["app.asar", "app.asar.unpacked"]));
    expect(readdirSync(resources)).not.toContain("default_app.asar");
    const outside = readdirSync(join(resources, "app.asar.unpacked/dist"));
    expect(outside).toEqual(expect.arrayContaining(["renderer", "starter"]));
    expect(outside.filter((file) => file.endsWith(".js"))).toEqual([]);
  });
});
