import type { ConsolePage } from "../../../server/contract/console/console-pages.ts";
import type { Desktop, DesktopChange } from "../../../server/contract/console/machine/desktop.ts";
import type { UpdateAction, UpdateState } from "../../../server/contract/console/machine/updates.ts";

/** What the page may request from the Electron window besides HTTP; not available in a browser. */
export interface HearthWindow {
  /** The folder chosen in the system's dialog; undefined if none was chosen. */
  chooseFolder(): Promise<string | undefined>;
  /** A code with which the page can log in. */
  loginCode(): Promise<string>;
  desktop(): Promise<Desktop>;
  changeDesktop(change: DesktopChange): Promise<void>;
  /** Asks in a dialog whether the data of an older Hearth are to be put back. */
  offerWayBack(): Promise<void>;
  /** The path of a file or folder that was dropped on the page. */
  pathOf(file: File): string;
  /** The page takes files that are dropped on it: those that the system opens with Hearth are dropped from now on. */
  takeFiles(): Promise<void>;
  /** Calls the last listener whenever menus, links or notifications ask for a page. */
  onShowPage(listen: (page: ConsolePage) => void): void;
  /** How an update of the program stands. */
  updateState(): Promise<UpdateState>;
  actOnUpdate(action: UpdateAction): Promise<void>;
  /** Calls `listen` with each change from now on. */
  onUpdate(listen: (state: UpdateState) => void): void;
}

export const hearthWindow = (globalThis as { hearthWindow?: HearthWindow }).hearthWindow;
