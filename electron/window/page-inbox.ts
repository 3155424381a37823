/** A page or file that links, menus and the system want to show. The last of each waits until the window's page listens. */
import type { ConsolePage } from "../../server/contract/console/console-pages.ts";

interface PageRequest {
  readonly page?: ConsolePage;
  /** The absolute path of a file to drop. */
  readonly file?: string;
}

/** A new page does not listen until it says so; `stopListening` is called whenever another page is loaded. */
export class PageInbox {
  readonly #send: (request: PageRequest) => void;
  #waiting: PageRequest | undefined;
  #isListening = false;

  /** @param send hands a request to the page */
  constructor(send: (request: PageRequest) => void) {
    this.#send = send;
  }

  get waiting(): PageRequest | undefined {
    return this.#waiting;
  }

  add(request: PageRequest): void {
    this.#waiting = { ...this.#waiting, ...request };
    this.#sendWaiting();
  }

  startListening(): void {
    this.#isListening = true;
    this.#sendWaiting();
  }

  stopListening(): void {
    this.#isListening = false;
  }

  #sendWaiting(): void {
    if (!this.#isListening || this.#waiting === undefined) return;
    const request = this.#waiting;
    this.#waiting = undefined;
    this.#send(request);
  }
}
