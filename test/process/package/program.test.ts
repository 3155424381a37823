import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noteVersion } from "../../../server/supervisor/data-directory/data-version.ts";
import { chatOnce } from "../../support/model/chat.ts";
import { asConsole, logIn } from "../../support/process/console-access.ts";
import { launchHearth, plainEnvironment } from "../../support/process/launch.ts";
import { buildPackages, unpackProgram } from "../../support/process/packaged-program.ts";
import { pngBytes } from "../../support/files.ts";
import { isRunning } from "../../support/process/processes.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

describe("the packaged program", () => {
  // Outside the checkout: there, a module that was left out would be found in a node_modules above.
  const folder = temporaryFolder();
  let binary: string;
  const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  beforeAll(async () => {
    binary = unpackProgram(await buildPackages(), join(folder.path, "Meine Prögramme 程序"));
  });
  afterAll(() => folder[Symbol.dispose]());

  it("answers with every service, chats with its starter model and ends cleanly, without Node or npm", async () => {
    await using hearth = launchHearth({
      command: [binary, ...asRoot],
      cwd: folder.path,
      env: { PATH: join(folder.path, "nothing") },
    });
    const { app, provider, model, console: address } = await hearth.ready();
    for (const url of [app, provider, model ?? ""]) expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect((await fetch(`${app}/swagger/docs/v1`)).status).toBe(200);
    expect((await fetch(address)).status).toBeLessThan(500);
    expect(await chatOnce(model ?? "")).toMatchObject({ done: true, text: expect.stringMatching(/\S/) });
    const pids = await hearth.pids();
    hearth.child.kill("SIGTERM");
    expect(await hearth.exited).toBe(0);
    // Chromium's helpers end when they see that the program has ended.
    await expect.poll(() => pids.filter(isRunning)).toEqual([]);
    await expect.poll(() => hearth.leftovers()).toEqual([]);
  });

  it("finds what is loaded only when it is asked for: pictures, collections, certificates, the reference client, the watcher", async () => {
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
    const addresses = await hearth.ready();
    const { app, provider, console: address } = addresses;
    const authorized = asConsole(address);
    const headers = await logIn(addresses);

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
    using data = temporaryFolder();
    using watched = temporaryFolder();
    const env = { PATH: join(folder.path, "nothing") };
    await using hearth = launchHearth({ command: [binary, ...asRoot], cwd: folder.path, dataDir: data.path, env });
    const { app, console: address } = await hearth.ready();
    const headers = { Authorization: `Bearer ${new URL(address).searchParams.get("token") ?? ""}` };
    const read = async (path: string) => (await fetch(`${app}/console/api/${path}`, { headers })).json();
    expect(await read("overview")).toMatchObject({
      command: { name: expect.stringContaining(binary), flags: `--data-dir ${data.path}` },
    });

    const login = [...asRoot, "login", "ada", "--data-dir", data.path];
    const { stdout } = await promisify(execFile)(binary, login, { env: { ...plainEnvironment(), ...env } });
    expect(stdout).toMatch(/^[\w-]{43}\n$/);

    await using watch = launchHearth({
      command: [binary, ...asRoot, "watch", watched.path, "--to", `${app}/api/inotify/`],
      dataDir: data.path,
      env,
    });
    await watch.prints("watching");
    writeFileSync(join(watched.path, "a.txt"), "");
    const told = async () => JSON.stringify(await read("file-events"));
    await expect.poll(told).toContain(join(watched.path, "a.txt"));
  });

  /** A display that nobody serves, as of a session that has ended. */
  const deadDisplay = ":9871";
  const withoutDisplay = { DISPLAY: "", WAYLAND_DISPLAY: "", PATH: join(folder.path, "nothing") };
  /** Runs a command of the program to its end, where there is no display. */
  const run = (env: Readonly<Record<string, string>>, ...args: string[]) =>
    promisify(execFile)(binary, [...asRoot, ...args], {
      env: { ...plainEnvironment(), ...withoutDisplay, ...env },
    }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error: { code: number; stdout: string; stderr: string }) => error,
    );

  it("runs without a window where the display does not answer, and ends with all its processes when it is told to", async () => {
    await using hearth = launchHearth({
      command: [binary, ...asRoot],
      env: { ...withoutDisplay, DISPLAY: deadDisplay },
    });
    const { app, provider, model } = await hearth.ready();
    await hearth.prints(`hearth: the window cannot open: the display ${deadDisplay} does not respond`);
    for (const url of [app, provider, model ?? ""]) expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const pids = await hearth.pids();
    hearth.child.kill("SIGTERM");
    expect(await hearth.exited).toBe(0);
    // Chromium's helpers end when they see that the program has ended.
    await expect.poll(() => pids.filter(isRunning)).toEqual([]);
    await expect.poll(() => hearth.leftovers()).toEqual([]);
  });

  it("runs commands that start services of their own: exec passes on what its command answers, switches and all", async () => {
    const script = `const { status } = await fetch(process.env.HEARTH_APP_URL + "/healthz");
      process.exit(status === 200 && process.argv.includes("--no-sandbox") ? 7 : 1);`;
    const command = [process.execPath, "--input-type=module", "-e", script, "--", "--no-sandbox"];
    expect(await run({}, "exec", "--", ...command)).toMatchObject({ code: 7 });
  });

  it("runs a command that comes after flags, as the hearth command does, whatever the display", async () => {
    using data = temporaryFolder();
    const refused = await run({ DISPLAY: deadDisplay }, "--data-dir", data.path, "login", "ada");
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("no Hearth uses the data directory") });
  });

  it("writes a client of the API that a Hearth of its own describes", async () => {
    using project = temporaryFolder();
    const client = join(project.path, "client.js");
    expect(await run({}, "types", "--out", client)).toMatchObject({ code: 0 });
    expect(existsSync(client)).toBe(true);
  });

  it("finds itself sound: its doctor loads every native module, and has no Electron to fetch", async () => {
    using data = temporaryFolder();
    const free = ["--app-port", "0", "--provider-port", "0", "--model-port", "0"];
    const { code, stdout } = await run({}, "doctor", "--json", "--data-dir", data.path, ...free);
    const { checks } = JSON.parse(stdout) as { checks: { check: string; state: string; text: string }[] };
    expect(checks.filter(({ state }) => state === "problem")).toEqual([]);
    expect(code).toBe(0);
    const loaded = checks.filter(({ text }) => text === "works").map(({ check }) => check);
    expect(loaded).toEqual(["sharp", "node-llama-cpp"]);
    expect(JSON.stringify(checks)).toContain("part of this program");
  });

  it("no longer opens at login after uninstall, which has no display to need", async () => {
    using home = temporaryFolder();
    const entry = join(home.path, "autostart", "hearth.desktop");
    mkdirSync(dirname(entry));
    writeFileSync(entry, "[Desktop Entry]\n");
    const removed = await run({ XDG_CONFIG_HOME: home.path }, "uninstall", "--data-dir", join(home.path, "data"));
    expect(removed).toMatchObject({ code: 0, stdout: expect.stringContaining("no longer opens") });
    expect(existsSync(entry)).toBe(false);
  });

  it("says in the terminal, without a window, why it does not start, with the exit code of the command line", async () => {
    using data = temporaryFolder();
    noteVersion(data.path, "99.0.0");
    const newer = await run({}, "--headless", "--data-dir", data.path);
    expect(newer).toMatchObject({ code: 1, stderr: expect.stringContaining("Hearth 99.0.0") });
    expect(await run({}, "--headless", "--no-such-flag")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--no-such-flag"),
    });
  });

  it("does not run as a bare Node", async () => {
    await using hearth = launchHearth({
      command: [binary, "--headless", "-e", "process.stdout.write('ran')"],
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
