/** What the page may request from the Electron window besides HTTP; not available in a browser. */
interface HearthWindow {
  /** The folder chosen in the system's dialog; undefined if none was chosen. */
  chooseFolder(): Promise<string | undefined>;
  /** A code with which the page can log in. */
  loginCode(): Promise<string>;
}

export const hearthWindow = (globalThis as { hearthWindow?: HearthWindow }).hearthWindow;
