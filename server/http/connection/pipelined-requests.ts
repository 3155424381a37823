import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** The most waiting requests of one connection. A client that sends more without reading an answer is disconnected. */
const maxWaiting = 1_000;

interface PendingRequest {
  readonly response: ServerResponse;
  /** Resolves at its end. */
  before?: PendingRequest;
}

const isOver = (pending: PendingRequest | undefined): pending is undefined =>
  pending === undefined || pending.response.closed;

/**
 * Handles the requests of a connection one after another, even if the client pipelines them. They take effect in order,
 * and none starts after its connection is gone. A request started earlier would never notice the end of its connection,
 * and keep its resources open.
 */
export function createPipelinedRequests(handler: RequestListener) {
  const last = new WeakMap<Duplex, PendingRequest>();
  const waiting = new WeakMap<Duplex, number>();

  return {
    /** Handles a request after the previous one on its connection was answered. */
    handle(req: IncomingMessage, res: ServerResponse): void {
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
        // A response without a socket waits behind one that ended the connection.
        if (res.socket && !socket.destroyed) handler(req, res);
      });
    },

    /**
     * Calls `then` when all complete requests of the connection were answered; with the unfinished response to an
     * incomplete request, if there is one.
     */
    afterAnswers(connection: Duplex, then: (unfinished: ServerResponse | undefined) => void): void {
      const newest = last.get(connection);
      const unfinished = newest && !newest.response.closed && !newest.response.req.complete ? newest : undefined;
      const due = unfinished ? unfinished.before : newest;
      if (isOver(due)) then(unfinished?.response);
      else due.response.once("close", () => then(unfinished?.response));
    },
  };
}
export type PipelinedRequests = ReturnType<typeof createPipelinedRequests>;
