/** Opens Hearth, minimised, when its user logs in. */
import { mkdirSync, readFileSync, rmSync, existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The flag of a start at login. */
export const minimisedFlag = "--minimised";

/** The part of Electron's `app` that keeps the item on macOS and Windows. */
interface SystemLoginItems {
  getLoginItemSettings(options: { args: string[] }): { openAtLogin: boolean; executableWillLaunchAtLogin: boolean };
  setLoginItemSettings(settings: { openAtLogin: boolean; args: string[] }): void;
}

interface LoginItemOptions {
  readonly platform: NodeJS.Platform;
  readonly app: SystemLoginItems;
  /** The user's folder for configuration, on Linux. */
  readonly configFolder: string;
  /** The program's own path. */
  readonly program: string;
}

export interface LoginItem {
  readonly isOn: () => boolean;
  /** @throws Error if the system's folder cannot be written */
  readonly set: (on: boolean) => void;
}

/** Quotes as the specification of desktop entries requires. */
const quotedForDesktopEntry = (path: string) => `"${path.replaceAll(/["`$\\]/g, "\\$&").replaceAll("%", "%%")}"`;

const autostartFile = (configFolder: string) => join(configFolder, "autostart", "hearth.desktop");

const programLines = (program: string) => ({
  TryExec: `TryExec=${program.replaceAll("\\", "\\\\")}`,
  Exec: `Exec=${quotedForDesktopEntry(program)} ${minimisedFlag}`,
});

/**
 * Changes the program in Hearth's file, if the file exists and names a program that is gone: an update gives an AppImage
 * another name. Lines that the desktop has added stay.
 */
export function followAutostart(configFolder: string, program: string): void {
  const file = autostartFile(configFolder);
  if (!existsSync(file)) return;
  const entry = readFileSync(file, "utf8");
  const named = /^TryExec=(.+)$/m.exec(entry)?.[1]?.replaceAll("\\\\", "\\");
  if (named === undefined || existsSync(named)) return;
  const { TryExec, Exec } = programLines(program);
  writeFileSync(
    file,
    entry.replace(/^TryExec=.*$/m, () => TryExec).replace(/^Exec=.*$/m, () => Exec),
  );
}

/** The lines that desktops write into the file of a program that is switched off in their settings. */
const switchedOff = /^(Hidden *= *true|X-GNOME-Autostart-enabled *= *false) *$/m;

function createAutostartFile(configFolder: string, program: string): LoginItem {
  const file = autostartFile(configFolder);
  const { TryExec, Exec } = programLines(program);
  const entry = `[Desktop Entry]
Type=Application
Name=Hearth
${TryExec}
${Exec}
Terminal=false
`;
  return {
    isOn: () => existsSync(file) && !switchedOff.test(readFileSync(file, "utf8")),
    set(on) {
      if (!on) return rmSync(file, { force: true });
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, entry);
    },
  };
}

export function createLoginItem({ platform, app, configFolder, program }: LoginItemOptions): LoginItem {
  if (platform === "linux") return createAutostartFile(configFolder, program);
  const args = [minimisedFlag];
  return {
    isOn() {
      const { openAtLogin, executableWillLaunchAtLogin } = app.getLoginItemSettings({ args });
      // Windows keeps an item that is switched off in its own settings.
      return openAtLogin && (platform !== "win32" || executableWillLaunchAtLogin);
    },
    set: (on) => app.setLoginItemSettings({ openAtLogin: on, args }),
  };
}
