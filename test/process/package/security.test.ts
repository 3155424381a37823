/**
 * Electron's security checklist (https://www.electronjs.org/docs/latest/tutorial/security), item by item, in the packaged
 * program; and a model file that is opened with it. One program for all, driven from outside.
 */
import { existsSync, readFileSync, writeFileSync, mkdirSync, chmodSync } from "node:fs";
import { join } from "node:path";
import type { CDPSession } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { siteOf } from "../../support/process/console-access.ts";
import { ensureElectronForTests } from "../../../build/install/electron-for-tests.ts";
import { writeRandomGguf } from "../../support/model/random-gguf.ts";
import { listen } from "../../support/process/listen.ts";
import {
  buildPackages,
  newUser,
  openPackagedWindow,
  unpackProgram,
  type User,
} from "../../support/process/packaged-program.ts";
import { descendants, typeOf } from "../../support/process/processes.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const lockedVersion = (
  JSON.parse(readFileSync(new URL("../../../node_modules/electron/package.json", import.meta.url), "utf8")) as {
    version: string;
  }
).version;

describe.runIf(process.platform === "linux")("the packaged program", () => {
  const world = new AsyncDisposableStack();
  const folder = world.use(temporaryFolder());
  const opened = join(folder.path, "opened");
  let binary: string;
  let user: User;
  let window: Awaited<ReturnType<typeof openPackagedWindow>>;
  let devTools: CDPSession;
  beforeAll(async () => {
    binary = unpackProgram(await buildPackages(), join(folder.path, "program"));
    user = world.use(newUser(join(folder.path, "home")));
    // What would open in the user's browser is noted instead.
    const bin = join(folder.path, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "xdg-open"), `#!/bin/sh\necho "$1" >> '${opened}'\n`, { mode: 0o755 });
    writeFileSync(opened, "");
    chmodSync(opened, 0o666);
    writeRandomGguf(join(user.home, "My Model.gguf"));
    chmodSync(join(user.home, "My Model.gguf"), 0o644);
    const flags = [join(user.home, "My Model.gguf")];
    window = world.use(await openPackagedWindow(binary, user, { env: { PATH: bin }, flags }));
    devTools = await window.page.context().newCDPSession(window.page);
  });
  afterAll(() => world.disposeAsync());

  /** Runs a script in the page, as text: the page's own types are not those of this file. */
  const inPage = (script: string): Promise<unknown> => window.page.evaluate(script);
  const openedOutside = () => readFileSync(opened, "utf8").trim().split("\n");
  const renderers = () => descendants(window.hearth.child.pid ?? 0).filter((pid) => typeOf(pid) === "renderer");

  it("opens the form for a new model with the model file that it was started with", async () => {
    await window.page.getByText("My Model.gguf,").waitFor();
    expect(await window.page.getByRole("textbox", { name: "Name of the new model" }).inputValue()).not.toBe("");
  });

  it("1 and 18: shows only what the console's own server serves, and no file", async () => {
    const loaded = (await inPage("performance.getEntriesByType('resource').map(({ name }) => name)")) as string[];
    expect(loaded.length).toBeGreaterThan(0);
    const foreign = loaded.filter(
      (url) => !/^(data|blob):/.test(url) && new URL(url).origin !== siteOf(window.addresses.console),
    );
    expect(foreign).toEqual([]);
    expect(await inPage("fetch('file:///etc/passwd').then(() => 'read', () => 'refused')")).toBe("refused");
  });

  it("2: gives pages, frames and workers no Node", async () => {
    const names = "[typeof require, typeof process, typeof module, typeof Buffer]";
    expect(await inPage(names)).toEqual(Array(4).fill("undefined"));
    const inFrame = `(() => { const frame = document.body.appendChild(document.createElement("iframe"));
      const { require, process } = frame.contentWindow; frame.remove(); return [typeof require, typeof process]; })()`;
    expect(await inPage(inFrame)).toEqual(["undefined", "undefined"]);
    const script = `URL.createObjectURL(new Blob(["postMessage(typeof require + typeof process)"]))`;
    const inWorker = `new Promise((resolve) => { const worker = new Worker(${script});
      worker.onmessage = ({ data }) => resolve(data); worker.onerror = () => resolve("no worker"); })`;
    expect(["undefinedundefined", "no worker"]).toContain(await inPage(inWorker));
  });

  it("3: keeps the preload script's world apart from the page's", async () => {
    const contexts: string[] = [];
    devTools.on("Runtime.executionContextCreated", ({ context }) => void contexts.push(context.name));
    await devTools.send("Runtime.enable");
    await expect.poll(() => contexts).toContain("Electron Isolated Context");
    await devTools.send("Runtime.disable");
    expect(await inPage("hearthWindow.loginCode()")).toMatch(/^[0-9A-Z]{4}-/);
  });

  it("4: runs pages in the sandbox, where the system lets a user have one", () => {
    expect(renderers().length).toBeGreaterThan(0);
    const seccomp = renderers().map(
      (pid) => /^Seccomp:\s+(\d)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1],
    );
    const filtered = user.flags.includes("--no-sandbox") ? "0" : "2";
    expect(seccomp).toEqual(seccomp.map(() => filtered));
  });

  it("5: grants the page no permission but writing to the clipboard", async () => {
    expect(await inPage("Notification.requestPermission()")).toBe("denied");
    const ask = "navigator.mediaDevices.getUserMedia({ audio: true }).then(() => 'granted', (error) => error.name)";
    expect(await inPage(ask)).not.toBe("granted");
    const place =
      "new Promise((resolve) => navigator.geolocation.getCurrentPosition(() => resolve('granted'), ({ code }) => resolve(code)))";
    expect(await inPage(place)).toBe(1);
  });

  it("6: keeps the same-origin policy, whatever the page's own policy is", async () => {
    await using elsewhere = await listen((_request, response) => response.end("secret"));
    await devTools.send("Page.enable");
    await devTools.send("Page.setBypassCSP", { enabled: true });
    await window.page.reload();
    const read = `fetch(${JSON.stringify(elsewhere.url)}).then((reply) => reply.text(), () => "refused")`;
    expect(await inPage(read)).toBe("refused");
    await devTools.send("Page.setBypassCSP", { enabled: false });
    await window.page.reload();
    await window.page.getByRole("navigation", { name: "Pages" }).waitFor();
  });

  it("7: lets no foreign and no written script run, by the page's policy", async () => {
    await inPage(`(() => { const script = document.createElement("script"); script.textContent = "window.ran = 1";
      document.body.append(script); })()`);
    expect(await inPage("typeof window.ran")).toBe("undefined");
    const evaluated = "import('data:text/javascript,export default 1').then(() => 'ran', () => 'refused')";
    expect(await inPage(evaluated)).toBe("refused");
  });

  it("8, 9 and 10: switches on no insecure content, no experimental features and none of Blink's", () => {
    const program = readFileSync(join(binary, "../resources/app.asar"), "latin1");
    expect(program).toContain("contextIsolation");
    expect(program).not.toMatch(
      /allowRunningInsecureContent|experimentalFeatures|enableBlinkFeatures|webSecurity: ?false/,
    );
    for (const pid of renderers())
      expect(readFileSync(`/proc/${pid}/cmdline`, "utf8")).not.toMatch(
        /enable-experimental|enable-blink|allow-running-insecure/,
      );
  });

  it("11 and 12: has no web views", async () => {
    expect(await inPage("document.createElement('webview').constructor === HTMLElement")).toBe(true);
  });

  it("13 and 15: leaves the console for nothing, and hands only web addresses to the system", async () => {
    const before = window.page.url();
    for (const url of [
      "file:///etc/passwd",
      "vscode://file/etc",
      "https://user:secret@example.org/",
      "https://example.org/b",
    ])
      await inPage(`void (location.href = ${JSON.stringify(url)})`);
    await expect.poll(openedOutside).toEqual(["https://example.org/b"]);
    expect(window.page.url()).toBe(before);
  });

  it("14: opens no second window", async () => {
    expect(await inPage("window.open('https://example.org/a') === null")).toBe(true);
    expect(await inPage("window.open('/console/events') === null")).toBe(true);
    const { targetInfos } = await devTools.send("Target.getTargets");
    expect(targetInfos.filter(({ type }) => type === "page")).toHaveLength(1);
  });

  it("16: runs the Electron that is kept up to date by the lockfile, or the one that stands in for it here", async () => {
    const { version, official } = ensureElectronForTests();
    expect(await inPage("hearthWindow.electron")).toBe(version);
    if (official) expect(version).toBe(lockedVersion);
  });

  it("17: answers nothing that does not come from a page of the console", async () => {
    const url = window.page.url();
    await devTools.send("Page.navigate", { url: "data:text/html,<h1>elsewhere</h1>" });
    await expect.poll(() => inPage("document.querySelector('h1')?.textContent")).toBe("elsewhere");
    expect(await inPage("typeof hearthWindow === 'undefined' ? undefined : hearthWindow.loginCode()")).toBeUndefined();
    await devTools.send("Page.navigate", { url });
    await window.page.getByRole("navigation", { name: "Pages" }).waitFor();
  });

  it("19: has every fuse as it was configured: no Node, no inspector, no options from outside, only its archive", () => {
    const bytes = readFileSync(binary);
    const sentinel = "dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX";
    const at = bytes.indexOf(sentinel) + sentinel.length;
    expect(at).toBeGreaterThan(sentinel.length);
    const [version, count = 0] = bytes.subarray(at, at + 2);
    expect(version).toBe(1);
    const names = [
      "runAsNode",
      "cookieEncryption",
      "nodeOptions",
      "nodeInspector",
      "asarIntegrity",
      "onlyAsar",
      "ownSnapshot",
      "fileRights",
    ];
    const states = [...bytes.subarray(at + 2, at + 2 + count)].map((byte) => String.fromCharCode(byte) === "1");
    const fuses = Object.fromEntries(names.map((name, index) => [name, states[index]]));
    expect(fuses).toEqual({
      ...{ runAsNode: false, nodeOptions: false, nodeInspector: false, fileRights: false, ownSnapshot: false },
      ...{ cookieEncryption: true, asarIntegrity: true, onlyAsar: true },
    });
    expect(existsSync(join(binary, "../resources/default_app.asar"))).toBe(false);
  });

  it("20: lets no API of Electron reach the page", async () => {
    expect(await inPage("Object.values(hearthWindow).filter((one) => typeof one === 'object').length")).toBe(0);
    expect(await inPage("'ipcRenderer' in globalThis || 'electron' in globalThis")).toBe(false);
  });
});
