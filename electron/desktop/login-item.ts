/** Opens Hearth, minimised, when its user logs in. */
import { mkdirSync, rmSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What the program is called with then. */
export const minimisedFlag = "--minimised";

/** The part of Electron's `app` that keeps the item on macOS and Windows. */
interface SystemLoginItems {
  getLoginItemSettings(options: { args: string[] }): { openAtLogin: boolean };
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

/** As the specification of desktop entries asks for within quotes. */
const quotedForDesktopEntry = (path: string) => `"${path.replaceAll(/["`$\\]/g, "\\$&").replaceAll("%", "%%")}"`;

function createAutostartFile(configFolder: string, program: string): LoginItem {
  const folder = join(configFolder, "autostart");
  const file = join(folder, "hearth.desktop");
  const entry = `[Desktop Entry]
Type=Application
Name=Hearth
TryExec=${program.replaceAll("\\", "\\\\")}
Exec=${quotedForDesktopEntry(program)} ${minimisedFlag}
Terminal=false
`;
  return {
    isOn: () => existsSync(file),
    set(on) {
      if (!on) return rmSync(file, { force: true });
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, entry);
    },
  };
}

export function createLoginItem({ platform, app, configFolder, program }: LoginItemOptions): LoginItem {
  if (platform === "linux") return createAutostartFile(configFolder, program);
  const args = [minimisedFlag];
  return {
    isOn: () => app.getLoginItemSettings({ args }).openAtLogin,
    set: (on) => app.setLoginItemSettings({ openAtLogin: on, args }),
  };
}
