/** The state of the desktop program that the page in the window reads and changes. */
import { desktopChangeSchema, type Desktop } from "../../server/contract/console/machine/desktop.ts";
import type { DesktopState, DesktopStateFile } from "./desktop-state.ts";
import type { UpdateBackup } from "../../server/supervisor/run-error.ts";
import type { LoginItem } from "./login-item.ts";

interface Ports {
  readonly state: DesktopStateFile;
  readonly hasTray: () => boolean;
  /** The data directory had no data when this run began. */
  readonly isNew: boolean;
  /** A backup of an older Hearth's data, which could be restored. */
  readonly backup: UpdateBackup | undefined;
  /** Undefined in a checkout, which has no program that the system could start. */
  readonly loginItem: LoginItem | undefined;
  /** The language has changed. */
  readonly onLanguage: () => void;
}

export function createPageDesktop({ state, hasTray, isNew, backup, loginItem, onLanguage }: Ports) {
  return {
    read(): Desktop {
      const { onClose, notify, isIntroduced } = state.get();
      return {
        onClose,
        notify,
        isFirstRun: isNew && !isIntroduced,
        openAtLogin: loginItem?.isOn() ?? false,
        canOpenAtLogin: loginItem !== undefined,
        hasTray: hasTray(),
        ...(backup && { wayBack: { version: backup.version, time: backup.time.toISOString() } }),
      };
    },
    /** @throws ZodError for an unknown change */
    change(sent: unknown): void {
      const { onClose, notify, openAtLogin, language, isFirstRun } = desktopChangeSchema.parse(sent);
      if (openAtLogin !== undefined) loginItem?.set(openAtLogin);
      const changed: Partial<DesktopState> = {
        ...(onClose && { onClose }),
        ...(notify && { notify }),
        ...(language && language !== state.get().language && { language }),
        ...(isFirstRun === false && { isIntroduced: true }),
      };
      if (Object.keys(changed).length === 0) return;
      state.change(changed);
      if (changed.language) onLanguage();
    },
  };
}
