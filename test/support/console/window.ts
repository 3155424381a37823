/** The real window: Electron as users get it, driven by Playwright, in a world of its own. */
import { mkdirSync, writeFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import electronBinary from "electron";
import type { DesktopState } from "../../../electron/desktop/desktop-state.ts";
import { _electron, type ElectronApplication, type Page } from "playwright-core";
import type { Settings } from "../../../server/contract/process/settings.ts";
import { resolveSettings } from "../../../server/process/settings/read-settings.ts";
import type { ReadyFileContent } from "../../../server/supervisor/ready-file.ts";
import { openPage, stopIntercepting } from "./console-page.ts";
import { delayAnswers } from "./delay-answers.ts";
import { quitProgram } from "./quit-program.ts";
import { plainEnvironment } from "../process/launch.ts";
import { startMessage } from "../process/start-message.ts";
import { patienceMs } from "../eventually.ts";
import { untilUnused } from "../process/processes.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { readWhenWritten } from "../process/read-when-written.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Of what the program prints, that many characters tell why it does not quit. */
const mostPrinted = 4_000;

export interface HearthWindow extends AsyncDisposable {
  readonly electron: ElectronApplication;
  readonly page: Page;
  readonly addresses: ReadyFileContent;
  readonly dataDir: string;
  /** Starts the program again while it runs; the result is that one's exit code. */
  startAgain(...args: string[]): Promise<number>;
  /** Opens a page by its link in the sidebar, as a person would. */
  open(page: string): Promise<void>;
}

/** Gives the program its settings as the `hearth` command does: Playwright starts it without a channel. */
const inPlaceOfParent = (settings: Settings) => `
process.send = () => true;
process.on("newListener", (event) => {
  if (event === "message") setImmediate(() => process.emit("message", ${JSON.stringify(startMessage(settings))}));
});`;

async function launchElectron(
  overrides: Partial<Settings>,
  prepare: (dataDir: string) => void,
  remembered: Partial<DesktopState> = {},
) {
  await using world = new AsyncDisposableStack();
  const folder = world.use(temporaryFolder());
  const place = (name: string) => join(folder.path, name);
  const [dataDir, temporary, artifacts] = [place("data"), place("tmp"), place("artifacts")];
  for (const path of [dataDir, temporary, artifacts]) mkdirSync(path, { recursive: true });
  const profile = place("data/window");
  mkdirSync(profile);
  writeFileSync(join(profile, "desktop.json"), JSON.stringify({ isIntroduced: true, onClose: "quit", ...remembered }));
  prepare(dataDir);
  const readyFile = join(folder.path, "ready.json");
  const ports = { app_port: 0, provider_port: 0, model_port: 0 };
  const settings = resolveSettings(
    { data_dir: dataDir, ready_file: readyFile, ...ports, ...overrides },
    {},
    folder.path,
  );
  const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const executablePath = electronBinary as unknown as string; // in Node the package is the path of its binary
  const parent = join(folder.path, "parent.cjs");
  writeFileSync(parent, inPlaceOfParent(settings));
  const args = [...asRoot, "--lang=en-US", "-r", parent, join(root, "dist/electron.js")];
  const env = { ...plainEnvironment(), TMPDIR: temporary, LANG: "en_US.UTF-8" };
  const electron = await _electron.launch({
    executablePath,
    args,
    artifactsDir: artifacts, // its own folder for them is removed only some time after the window has closed
    env,
    timeout: patienceMs,
  });
  electron.context().setDefaultTimeout(patienceMs);
  /** Starts the program again while it runs, as the system does for a link. @returns its exit code */
  const startAgain = async (...more: string[]) => {
    const [code] = (await once(spawn(executablePath, [...args, ...more], { env, stdio: "ignore" }), "exit")) as [
      number,
    ];
    return code;
  };
  world.defer(() => untilUnused(temporary));
  const child = electron.process();
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (text: Buffer) => (printed = (printed + text.toString()).slice(-mostPrinted)));
  world.defer(() => quitProgram(electron, child, () => printed));
  const page = await electron.firstWindow({ timeout: patienceMs });
  world.defer(() => stopIntercepting(page));
  const opened = world.move();
  return { electron, page, dataDir, readyFile, startAgain, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** Opens the window with settings that keep it from starting. */
export const openWindowThatFails = (overrides: Partial<Settings>) => launchElectron(overrides, () => undefined);

/** Opens the window; `prepare` may put files into the data directory before, `remembered` is what the window remembers. */
export async function openWindow(
  prepare: (dataDir: string) => void = () => undefined,
  overrides: Partial<Settings> = {},
  remembered: Partial<DesktopState> = {},
): Promise<HearthWindow> {
  await using world = new AsyncDisposableStack();
  const launched = world.use(await launchElectron(overrides, prepare, remembered));
  const { page } = launched;
  // Playwright takes choosers of files over while anybody listens; begun with the key that opens one, it may come late.
  page.on("filechooser", () => undefined);
  await delayAnswers(page);
  const addresses = JSON.parse(await readWhenWritten(launched.readyFile)) as ReadyFileContent;
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
  // It closes what was launched by itself.
  world.move();
  return {
    ...launched,
    addresses,
    open: (name) => openPage(page, name),
  };
}
