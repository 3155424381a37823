/** How an update of the desktop program stands. Between the program and its window's page; no service knows it. */

export type UpdateState =
  /** Nothing to show: not asked, not answered, or declined. */
  | { readonly step: "none" }
  /** Somebody asked, and is told that there is nothing newer. */
  | { readonly step: "current" }
  | { readonly step: "offered"; readonly version: string }
  /** `fraction`: 0 to 1 */
  | { readonly step: "downloading"; readonly version: string; readonly fraction: number }
  | { readonly step: "ready"; readonly version: string }
  | { readonly step: "failed"; readonly reason: string };

/** The choices of a person. `decline` hides the offer until the next start or question. */
export const updateActions = ["check", "download", "cancel", "install", "decline"] as const;
export type UpdateAction = (typeof updateActions)[number];
