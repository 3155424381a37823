/** What the Electron window lets the page ask for, beyond HTTP; a browser has nothing of it. */
interface HearthWindow {
  /** The folder that a person chooses in the system's dialog; undefined when none was chosen. */
  chooseFolder(): Promise<string | undefined>;
  /** A code by which the page can log in. */
  loginCode(): Promise<string>;
}

export const hearthWindow = (globalThis as { hearthWindow?: HearthWindow }).hearthWindow;
