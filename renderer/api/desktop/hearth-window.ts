import type { ConsolePage } from "../../../server/contract/console/console-pages.ts";
import type { Desktop, DesktopChange } from "../../../server/contract/console/machine/desktop.ts";
import type { UpdateAction, UpdateState } from "../../../server/contract/console/machine/updates.ts";

/** The page's requests to the Electron window besides HTTP; not available in a browser. */
export interface HearthWindow {
  /** The folder chosen in the system's dialog; undefined if none was chosen. */
  chooseFolder(): Promise<string | undefined>;
  /** A code with which the page can log in. */
  loginCode(): Promise<string>;
  desktop(): Promise<Desktop>;
  changeDesktop(change: DesktopChange): Promise<void>;
  /** Asks in a dialog whether to restore the data of an older Hearth. */
  offerWayBack(): Promise<void>;
  /** The path of a file or folder that was dropped on the page. */
  pathOf(file: File): string;
  /** Reports that the page accepts dropped files. From then on, files that the system opens with Hearth are dropped on it. */
  takeFiles(): Promise<void>;
  /** Calls the last listener whenever menus, links or notifications ask for a page. */
  onShowPage(listen: (page: ConsolePage) => void): void;
  /** The state of the program's update. */
  updateState(): Promise<UpdateState>;
  actOnUpdate(action: UpdateAction): Promise<void>;
  /** Calls `listen` with each change from now on. */
  onUpdate(listen: (state: UpdateState) => void): void;
}

export const hearthWindow = (globalThis as { hearthWindow?: HearthWindow }).hearthWindow;
