import type { RequestListener, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** How many requests of one connection may wait: a client that sends more without reading an answer is cut off. */
const maxWaiting = 1_000;

export interface Turns {
  /** Handles a request when the one before it on its connection has been answered. */
  readonly handle: RequestListener;
  /**
   * Calls `then` when what the connection has sent whole has been answered; with the unfinished response to a request that
   * has not come whole, if there is one.
   */
  afterAnswers(connection: Duplex, then: (unfinished: ServerResponse | undefined) => void): void;
}

interface Turn {
  readonly response: ServerResponse;
  /** Until it is over. */
  before?: Turn;
}

const isOver = (turn: Turn | undefined): turn is undefined => turn === undefined || turn.response.closed;

/**
 * Handles the requests of one connection one after another, although a client may send them all at once (pipelining): so
 * they act in the order in which they were sent, and none is begun whose connection is gone. One that was begun out of turn
 * would never learn that its connection has closed, and keep what it has opened.
 */
export function createTurns(handler: RequestListener): Turns {
  const last = new WeakMap<Duplex, Turn>();
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
      const turn: Turn = { response: res, before };
      last.set(socket, turn);
      const count = (waiting.get(socket) ?? 0) + 1;
      waiting.set(socket, count);
      if (count > maxWaiting) {
        socket.destroy();
        return;
      }
      before.response.once("close", () => {
        delete turn.before;
        waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
        // Without a socket of its own, the response is behind one that has ended the connection.
        if (res.socket && !socket.destroyed) handler(req, res);
      });
    },

    afterAnswers(connection, then) {
      const turn = last.get(connection);
      const unfinished = turn && !turn.response.closed && !turn.response.req.complete ? turn : undefined;
      const due = unfinished ? unfinished.before : turn;
      if (isOver(due)) then(unfinished?.response);
      else due.response.once("close", () => then(unfinished?.response));
    },
  };
}
