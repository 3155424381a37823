/** The real window: Electron as users get it, driven by Playwright, in a world of its own. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import electronBinary from "electron";
import { _electron, type ElectronApplication, type Page } from "playwright-core";
import { resolveSettings, settingsForChild } from "../../server/process/read-settings.ts";
import type { ReadyFileContent } from "../../server/supervisor/ready-file.ts";
import { plainEnvironment } from "./launch.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { readWhenWritten } from "./read-when-written.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
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

/** Opens the window; `prepare` may put files into the data directory before. */
export async function openWindow(prepare: (dataDir: string) => void = () => undefined): Promise<HearthWindow> {
  const folder = temporaryFolder();
  const [dataDir, temporary] = [join(folder.path, "data"), join(folder.path, "tmp")];
  for (const path of [dataDir, temporary, screenshots]) mkdirSync(path, { recursive: true });
  prepare(dataDir);
  const readyFile = join(folder.path, "ready.json");
  const settings = resolveSettings(
    { data_dir: dataDir, app_port: 0, provider_port: 0, model_port: 0, ready_file: readyFile },
    {},
    folder.path,
  );
  const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const electron = await _electron.launch({
    executablePath: electronBinary as unknown as string, // in Node the package is the path of its binary
    args: [...asRoot, "--lang=en-US", join(root, "dist/electron.js")],
    env: { ...plainEnvironment(), ...settingsForChild(settings), TMPDIR: temporary, LANG: "en_US.UTF-8" },
  });
  const page = await electron.firstWindow();
  const addresses = JSON.parse(await readWhenWritten(readyFile)) as ReadyFileContent;
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
  return {
    electron,
    page,
    addresses,
    dataDir,
    open: (name) => page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name, exact: true }).click(),
    picture: async (name) => void (await page.screenshot({ path: join(screenshots, `${name}.png`) })),
    async [Symbol.asyncDispose]() {
      await electron.close();
      folder[Symbol.dispose]();
    },
  };
}
