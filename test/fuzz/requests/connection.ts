/**
 * An HTTP client that sends any bytes at all, over connections that are kept alive, and that notices when it is not
 * answered. `fetch` would repair or refuse most of what the fuzzers send.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { readAnswer, type Answer } from "./answer.ts";
import { patienceMs } from "../../support/eventually.ts";

/** Long for an answer, short for a test: a server that takes longer hangs. */

export interface FuzzConnection {
  /**
   * Sends one complete request and waits for its answer.
   * @throws Error when the connection ends or hangs without one
   */
  exchange(request: Buffer, method: string): Promise<Answer>;
  close(): Promise<void>;
}

/** Bytes that a socket has brought so far, and a way to wait for more. */
function received(socket: Socket) {
  let bytes = Buffer.alloc(0);
  let ended = false;
  let failure: Error | undefined;
  let wake: () => void = () => undefined;
  socket.on("data", (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    wake();
  });
  socket.on("error", (error) => (failure ??= error));
  for (const event of ["end", "close"])
    socket.on(event, () => {
      ended = true;
      wake();
    });
  return {
    bytes: () => bytes,
    drop: (length: number) => void (bytes = bytes.subarray(length)),
    ended: () => ended,
    failure: () => failure,
    /** @throws Error when nothing comes within the patience */
    async more(): Promise<void> {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve, reject) => {
        wake = resolve;
        timer = setTimeout(() => reject(new Error(`no answer within ${String(patienceMs)} ms`)), patienceMs);
        if (ended) resolve();
      }).finally(() => clearTimeout(timer));
    },
  };
}

/** True when the server has said that it closes the connection. */
const isLast = ({ headers }: Answer) => /\bclose\b/i.test(headers.get("connection") ?? "");

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  await once(socket, "connect");
  return socket;
}

async function closed(socket: Socket): Promise<void> {
  socket.destroy();
  if (!socket.closed) await once(socket, "close");
}

/** One connection after another: a new one whenever the server has closed the last. */
export function createFuzzConnection(port: number): FuzzConnection {
  let current: { socket: Socket; incoming: ReturnType<typeof received> } | undefined;

  async function connection() {
    if (current && !current.incoming.ended()) return current;
    if (current) await closed(current.socket);
    const socket = await open(port);
    current = { socket, incoming: received(socket) };
    return current;
  }

  async function close() {
    if (current) await closed(current.socket);
    current = undefined;
  }

  return {
    close,
    async exchange(request, method) {
      const { socket, incoming } = await connection();
      if (incoming.bytes().length > 0) throw new Error("the server has sent an answer that nobody asked for");
      socket.write(request);
      for (;;) {
        const read = readAnswer(incoming.bytes(), method, incoming.ended());
        if (read) {
          incoming.drop(read.length);
          if (read.answer.status < 200) continue;
          if (isLast(read.answer)) await close();
          return read.answer;
        }
        if (incoming.ended()) {
          await close();
          throw new Error("the connection was closed without an answer", { cause: incoming.failure() });
        }
        await incoming.more().catch(async (error: unknown) => {
          await close();
          throw error;
        });
      }
    },
  };
}

/**
 * Sends bytes on a connection of their own and reads answers until `enough` says so or the server closes it. `hangUp` says
 * at once that nothing more will come, by which the server ends what is not complete.
 * @throws Error when the server neither answers nor closes, or sends what is no HTTP
 */
async function converse(
  port: number,
  bytes: Buffer,
  { methods, hangUp, enough }: { methods: readonly string[]; hangUp: boolean; enough: (answers: number) => boolean },
): Promise<Answer[]> {
  const socket = await open(port);
  const incoming = received(socket);
  const answers: Answer[] = [];
  try {
    if (hangUp) socket.end(bytes);
    else socket.write(bytes);
    for (;;) {
      const ended = incoming.ended();
      const read = readAnswer(incoming.bytes(), methods[answers.length] ?? "GET", ended);
      if (read) {
        incoming.drop(read.length);
        if (read.answer.status >= 200) answers.push(read.answer);
        // To a HEAD that the server could not read as one it has answered with a body: what follows is not looked at.
        if (enough(answers.length) || isLast(read.answer)) return answers;
      } else if (!ended) await incoming.more();
      else if (incoming.bytes().length === 0 || hangUp) return answers;
      else throw new Error(`not a whole answer: ${incoming.bytes().toString("latin1").slice(0, 200)}`);
    }
  } finally {
    await closed(socket);
  }
}

/** The answers to several requests that are sent at once; fewer when the server ends the connection after one. */
export const sendAtOnce = (port: number, bytes: Buffer, methods: readonly string[]): Promise<Answer[]> =>
  converse(port, bytes, { methods, hangUp: false, enough: (count) => count === methods.length });

/** All answers to bytes that may be no request at all; an answer may be cut off, since the client hangs up. */
export const sendAndHangUp = (port: number, bytes: Buffer): Promise<Answer[]> =>
  converse(port, bytes, { methods: [], hangUp: true, enough: () => false });
