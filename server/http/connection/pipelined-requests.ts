import type { RequestListener, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** How many requests of one connection may wait: a client that sends more without reading an answer is cut off. */
const maxWaiting = 1_000;

export interface PipelinedRequests {
  /** Handles a request when the one before it on its connection has been answered. */
  readonly handle: RequestListener;
  /**
   * Calls `then` when what the connection has sent whole has been answered; with the unfinished response to a request that
   * has not come whole, if there is one.
   */
  afterAnswers(connection: Duplex, then: (unfinished: ServerResponse | undefined) => void): void;
}

interface PendingRequest {
  readonly response: ServerResponse;
  /** Until it is over. */
  before?: PendingRequest;
}

const isOver = (pending: PendingRequest | undefined): pending is undefined =>
  pending === undefined || pending.response.closed;

/**
 * Handles the requests of one connection one after another, although a client may send them all at once (pipelining): so
 * they act in the order in which they were sent, and none is begun whose connection is gone. One that was begun out of turn
 * would never learn that its connection has closed, and keep what it has opened.
 */
export function createPipelinedRequests(handler: RequestListener): PipelinedRequests {
  const last = new WeakMap<Duplex, PendingRequest>();
  const waiting = new WeakMap<Duplex, number>();

  return {
    handle(req, res) {
      const { socket } = req;
      const before = last.get(socket);
      if (isOver(before)) {
        last.set(socket, { response: res });
        handler(req, res);
        return;
      }
      const entry: PendingRequest = { response: res, before };
      last.set(socket, entry);
      const count = (waiting.get(socket) ?? 0) + 1;
      waiting.set(socket, count);
      if (count > maxWaiting) {
        socket.destroy();
        return;
      }
      before.response.once("close", () => {
        delete entry.before;
        waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
        // Without a socket of its own, the response is behind one that has ended the connection.
        if (res.socket && !socket.destroyed) handler(req, res);
      });
    },

    afterAnswers(connection, then) {
      const newest = last.get(connection);
      const unfinished = newest && !newest.response.closed && !newest.response.req.complete ? newest : undefined;
      const due = unfinished ? unfinished.before : newest;
      if (isOver(due)) then(unfinished?.response);
      else due.response.once("close", () => then(unfinished?.response));
    },
  };
}
