/** The program's frame: `App`, `Page` and what they register. */

export interface WxPage {
  /** The state, as the page's template would get it. */
  data: Record<string, unknown>;
  /** Changes members by name or path, such as `items[0].title`, and calls back at the next tick. */
  setData: (change: Record<string, unknown>, callback?: () => void) => void;
  readonly route: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- handlers and fields that the page's own code defines
  [member: string]: any;
}

// oxlint-disable-next-line typescript/no-explicit-any -- fields that the program's own code defines
export type WxApp = Record<string, any>;

/** Names that a mini-program finds in its global scope. */
export interface ProgramFrame {
  /** Registers the program and calls its `onLaunch` and `onShow`. */
  App: (definition: object) => void;
  /** Opens the page: its `onLoad`, `onShow` and `onReady` are called. */
  Page: (definition: object) => void;
  /** The registered program; an empty one before. */
  getApp: () => WxApp;
  /** The open pages, the current one last. */
  getCurrentPages: () => WxPage[];
}
