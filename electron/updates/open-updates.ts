/** Updates in the window's page. */
import { app, type BrowserWindow } from "electron";
import { updateActions, type UpdateAction, type UpdateState } from "../../server/contract/console/machine/updates.ts";
import { relaunch } from "../startup/command-line.ts";
import type { createElectronInstaller } from "./electron-installer.ts";
import type { Installer } from "./installer.ts";
import { createUpdates } from "./updates.ts";

const none: UpdateState = { step: "none" };
const isAction = (value: unknown): value is UpdateAction => updateActions.some((action) => action === value);

/** Loads electron-updater on first use: most starts check for no update. */
function lazyInstaller(feed: string): Installer {
  let loading: Promise<Installer> | undefined;
  let loaded: Installer | undefined;
  const load = () =>
    (loading ??= import(new URL("./updater.js", import.meta.url).href).then(
      (module: { createElectronInstaller: typeof createElectronInstaller }) =>
        (loaded = module.createElectronInstaller(feed, relaunch)),
    ));
  return {
    check: async () => (await load()).check(),
    download: async (onProgress, signal) => (await load()).download(onProgress, signal),
    install: () => loaded?.install(),
  };
}

/**
 * Looks for a newer version once, silently.
 * @param feed address of newer versions; undefined where none are looked for
 */
export function openUpdates(feed: string | undefined, window: BrowserWindow) {
  const updates =
    feed === undefined
      ? undefined
      : createUpdates({
          installer: lazyInstaller(feed),
          onState: (state) => {
            if (!window.isDestroyed()) window.webContents.send("update", state);
          },
          restart: () => app.quit(),
        });
  void updates?.check(false);
  return {
    /** The calls that the page may make. */
    calls: {
      "update-state": () => updates?.state() ?? none,
      "act-on-update": (action: unknown) => (isAction(action) ? updates?.act(action) : undefined),
    },
    /** Checks on request; undefined where no newer versions are looked for. */
    check: updates && (() => void updates.check(true)),
    stop: () => updates?.stop(),
    finish: () => updates?.finish(),
  };
}
