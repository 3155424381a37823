/** The console's pages, by their paths below /console: what a link from elsewhere may open. */
export const consolePages = [
  "/",
  "/requests",
  "/events",
  "/phone",
  "/users",
  "/payments",
  "/faults",
  "/collections",
  "/uploads",
  "/file-events",
  "/chat",
  "/models",
  "/api-docs",
  "/guides",
  "/fidelity",
  "/devices",
  "/settings",
] as const;
export type ConsolePage = (typeof consolePages)[number];
