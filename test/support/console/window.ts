/** The real window: Electron as users get it, driven by Playwright, in a world of its own. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import electronBinary from "electron";
import { _electron, type ElectronApplication, type Page } from "playwright-core";
import type { Settings } from "../../../server/contract/process/settings.ts";
import { resolveSettings, settingsForChild } from "../../../server/process/settings/read-settings.ts";
import type { ReadyFileContent } from "../../../server/supervisor/ready-file.ts";
import { openPage } from "./console-page.ts";
import { plainEnvironment } from "../process/launch.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { readWhenWritten } from "../process/read-when-written.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const screenshots = join(root, "test-results");

export interface HearthWindow extends AsyncDisposable {
  readonly electron: ElectronApplication;
  readonly page: Page;
  readonly addresses: ReadyFileContent;
  readonly dataDir: string;
  /** Opens a page by its link in the sidebar, as a person would. */
  open(page: string): Promise<void>;
  /** Leaves a picture of the window in test-results/. */
  picture(name: string): Promise<void>;
}

async function launchElectron(overrides: Partial<Settings>, prepare: (dataDir: string) => void) {
  await using world = new AsyncDisposableStack();
  const folder = world.use(temporaryFolder());
  const place = (name: string) => join(folder.path, name);
  const [dataDir, temporary, artifacts] = [place("data"), place("tmp"), place("artifacts")];
  for (const path of [dataDir, temporary, artifacts, screenshots]) mkdirSync(path, { recursive: true });
  prepare(dataDir);
  const readyFile = join(folder.path, "ready.json");
  const ports = { app_port: 0, provider_port: 0, model_port: 0 };
  const settings = resolveSettings(
    { data_dir: dataDir, ready_file: readyFile, ...ports, ...overrides },
    {},
    folder.path,
  );
  const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const electron = await _electron.launch({
    executablePath: electronBinary as unknown as string, // in Node the package is the path of its binary
    args: [...asRoot, "--lang=en-US", join(root, "dist/electron.js")],
    artifactsDir: artifacts, // its own folder for them is removed only some time after the window has closed
    env: { ...plainEnvironment(), ...settingsForChild(settings), TMPDIR: temporary, LANG: "en_US.UTF-8" },
  });
  world.defer(() => electron.close());
  const page = await electron.firstWindow();
  const opened = world.move();
  return { electron, page, dataDir, readyFile, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** Opens the window with settings that keep it from starting. */
export const openWindowThatFails = (overrides: Partial<Settings>) => launchElectron(overrides, () => undefined);

/** Opens the window; `prepare` may put files into the data directory before. */
export async function openWindow(
  prepare: (dataDir: string) => void = () => undefined,
  overrides: Partial<Settings> = {},
): Promise<HearthWindow> {
  await using world = new AsyncDisposableStack();
  const launched = world.use(await launchElectron(overrides, prepare));
  const { page } = launched;
  const addresses = JSON.parse(await readWhenWritten(launched.readyFile)) as ReadyFileContent;
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
  // It closes what was launched by itself.
  world.move();
  return {
    ...launched,
    addresses,
    open: (name) => openPage(page, name),
    picture: async (name) => void (await page.screenshot({ path: join(screenshots, `${name}.png`) })),
  };
}
