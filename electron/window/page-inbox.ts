/** What links, menus and the system ask of the window's page. The last of each waits until a page listens. */
import type { ConsolePage } from "../../server/contract/console/console-pages.ts";

interface Inbox {
  readonly page?: ConsolePage;
  /** The absolute path of a file to drop. */
  readonly file?: string;
}

export interface PageInbox {
  readonly add: (asked: Inbox) => void;
  /** What still waits. */
  readonly waiting: () => Inbox | undefined;
  /** The page that is shown listens from now on. */
  readonly listens: () => void;
  /** Another page is shown. */
  readonly leaves: () => void;
}

/** @param send gives what waits to the page */
export function createPageInbox(send: (asked: Inbox) => void): PageInbox {
  let inbox: Inbox | undefined;
  let isListening = false;
  function sendWaiting(): void {
    if (!isListening || inbox === undefined) return;
    const asked = inbox;
    inbox = undefined;
    send(asked);
  }
  return {
    add(asked) {
      inbox = { ...inbox, ...asked };
      sendWaiting();
    },
    waiting: () => inbox,
    listens() {
      isListening = true;
      sendWaiting();
    },
    leaves() {
      isListening = false;
    },
  };
}
