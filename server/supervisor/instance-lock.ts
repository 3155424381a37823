/**
 * One Hearth per data directory. A lock on a file in it tells, from other containers and network namespaces, too; a listening
 * socket beside it, whose name is the hash of the directory's real path, tells a second one who the first is. The system takes
 * both back with their process, however that ends. Linux has socket names outside the file system and Windows has named pipes;
 * macOS needs a socket file, which after a SIGKILL is only an inert name that the next start takes over. Where the file system
 * has no locks the socket alone decides.
 */
import { createHash } from "node:crypto";
import { existsSync, realpathSync, unlinkSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What a running Hearth tells a second one. No token: other users of the machine can ask too. */
export interface RunningInstance {
  pid: number;
  /** Address of its console, once it has one. */
  console?: string | undefined;
  /** Base URLs of its services by name, once they answer. */
  urls?: Record<string, string> | undefined;
  /** It has a window, which it has brought to the front if asked to. */
  window: boolean;
}

export interface InstanceLock {
  release(): Promise<void>;
}

const answerWithinMs = 2_000;
/** What may be asked of a running Hearth: who it is, or also to show its window. */
export type InstanceRequest = "ask" | "show";

/** The name of its socket. */
export function lockAddress(dataDir: string): string {
  const key = createHash("sha256").update(realpathSync(dataDir)).digest("hex").slice(0, 32);
  if (process.platform === "win32") return `\\\\.\\pipe\\hearth-${key}`;
  return process.platform === "linux" ? `\0hearth-${key}` : join(tmpdir(), `hearth-${key}.lock`);
}

async function listen(server: Server, address: string): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  server.once("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EADDRINUSE") resolve(false);
    else reject(error);
  });
  server.listen(address, () => resolve(true));
  return promise;
}

/** Whether nobody listens at a socket file: one who only does not answer may be asleep. */
async function isInert(address: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(address, () => resolve(false));
  socket.on("error", ({ code }: NodeJS.ErrnoException) => resolve(code === "ECONNREFUSED"));
  return promise.finally(() => socket.destroy());
}

/** Asks the holder of the lock; undefined when nobody answers. */
async function askHolder(address: string, request: InstanceRequest): Promise<RunningInstance | undefined> {
  const { promise, resolve } = Promise.withResolvers<RunningInstance | undefined>();
  let answer = "";
  const socket = connect(address, () => socket.write(request));
  socket.setEncoding("utf8").setTimeout(answerWithinMs, () => socket.destroy());
  socket.on("data", (chunk: string) => (answer += chunk));
  socket.on("error", () => undefined);
  socket.on("close", () => {
    try {
      resolve(JSON.parse(answer) as RunningInstance);
    } catch {
      resolve(undefined);
    }
  });
  return promise;
}

/**
 * Takes the lock of a data directory, which must exist. `describe` is asked, each time a second instance calls, for what
 * to tell it; asked to show itself, it may bring the window to the front.
 * @returns the lock, or who holds it.
 */
export async function takeInstanceLock(
  dataDir: string,
  describe: (request: InstanceRequest) => RunningInstance,
): Promise<{ lock: InstanceLock } | { holder: RunningInstance | undefined }> {
  const address = lockAddress(dataDir);
  const { lockFile, lockFileSoon } = await import("../process/file-lock.ts"); // commands that only ask do without
  let file = lockFile(join(dataDir, "lock.db"));
  if (file === "held") {
    const holder = await askHolder(address, "show");
    if (holder === undefined) file = await lockFileSoon(join(dataDir, "lock.db"));
    if (file === "held") return { holder };
  }
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.setTimeout(answerWithinMs, () => socket.destroy());
    socket.once("data", (request) => socket.end(JSON.stringify(describe(String(request) === "show" ? "show" : "ask"))));
  });
  let isListening = await listen(server, address);
  if (!isListening && address.startsWith("/") && (await isInert(address))) {
    unlinkSync(address);
    isListening = await listen(server, address);
  }
  // Whoever else has the socket's name does not have the file: it may be another user's program.
  if (!isListening && file === "none") return { holder: await askHolder(address, "show") };
  const release = async () => {
    if (file !== "none") file.release();
    if (!isListening) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    server.close(() => resolve());
    await promise;
  };
  return { lock: { release } };
}

/** The Hearth that runs on a data directory; undefined when none does. */
export async function findRunning(dataDir: string): Promise<RunningInstance | undefined> {
  return existsSync(dataDir) ? askHolder(lockAddress(dataDir), "ask") : undefined;
}

/** One line about the Hearth that has the data directory already. */
export function describeHolder(dataDir: string, holder: RunningInstance | undefined): string {
  const who =
    holder === undefined
      ? " (it does not answer: perhaps in another container)"
      : ` (pid ${holder.pid}${holder.console ? `, ${holder.console}` : ""})`;
  return `Hearth runs on the data directory ${dataDir} already${who}; stop it, or choose another with --data-dir`;
}
