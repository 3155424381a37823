import { deadDisplay, hasDisplay } from "../../process/terminal/has-display.ts";
import { existsSync } from "node:fs";
import { installedBinary } from "../window/find-electron.ts";
import { askInspector } from "./ask-inspector.ts";
import { isDependency } from "../../process/installation/is-dependency.ts";
import { toAdd } from "../../process/installation/optional-packages.ts";
import { findings, type DoctorCheck } from "./check.ts";

const withoutIt = {
  sharp: "uploaded pictures have no thumbnails",
  "node-llama-cpp": "models cannot be loaded",
} as const;

/** Whether the desktop program, which contains Electron, runs this. */
const isDesktopProgram = process.versions["electron"] !== undefined;

const remedyFor = (module: keyof typeof withoutIt) =>
  isDesktopProgram
    ? "install Hearth again"
    : isDependency
      ? `to add it: ${toAdd[module]}`
      : "install Hearth's packages again, on this machine, with npm ci";

/** Node, and the modules with native code. */
export const checkInstallation: DoctorCheck = async function* ({ fork, signal, onProgress }) {
  // The command itself refuses an older one.
  yield findings("node").ok(`${process.version} on ${process.platform} ${process.arch}`);
  for (const [module, consequence] of Object.entries(withoutIt) as [keyof typeof withoutIt, string][]) {
    const { ok, problem, warning } = findings(module);
    const report = isDependency ? warning : problem;
    onProgress("loads");
    try {
      await askInspector({ type: "load", module }, { fork, signal });
      yield ok("works");
    } catch (error) {
      signal.throwIfAborted();
      yield report(`cannot be loaded: ${(error as Error).message}; ${consequence}: ${remedyFor(module)}`);
    }
  }
};

/** Whether a window can open. */
export const checkWindow: DoctorCheck = async function* ({ settings }) {
  const { ok, warning } = findings("window");
  const electron = installedBinary(process.env);
  const dead = await deadDisplay();
  if (settings.headless) yield ok("off (setting headless)");
  else if (isDesktopProgram)
    yield ok(`opens with Electron ${String(process.versions["electron"])}, part of this program`);
  else if (!hasDisplay()) yield ok("no display: open the console in a browser");
  else if (dead !== undefined) yield warning(`the display ${dead} does not respond: open the console in a browser`);
  else if (electron === undefined)
    yield ok(
      "Electron is not installed yet: the next start downloads it once; without a network, the console opens in a browser",
    );
  else if (existsSync(electron)) yield ok(`opens with ${electron}`);
  else yield warning(`ELECTRON_OVERRIDE_DIST_PATH has no ${electron}: the console opens in a browser`);
};
