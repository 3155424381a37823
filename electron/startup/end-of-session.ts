import type { BrowserWindow } from "electron";

interface SessionEnd {
  preventDefault: () => void;
}

/** Windows asks its windows before it logs a user off, and waits some seconds for those that need them to end. */
export function endWithSession(window: Pick<BrowserWindow, "on">, quit: () => void): void {
  window.on("query-session-end", (event: SessionEnd) => {
    event.preventDefault();
    quit();
  });
  window.on("session-end", quit);
}
