/**
 * Ensures one Hearth per data directory. A lock on a file in the directory decides; it also works across containers and
 * network namespaces. A listening socket, named after the hash of the directory's real path, reports the running
 * instance to a second one. The system releases both when the process ends, however it ends. Linux has socket names
 * outside the file system. macOS needs a socket file. It lies in the data directory, since macOS cleans its folder for
 * temporary files, which also differs by login; after a SIGKILL it is only a stale name, which the next start reuses. On
 * a file system without locks, the socket alone decides.
 */
import { createHash } from "node:crypto";
import { existsSync, realpathSync, rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { portOf } from "../../contract/own-url.ts";
import { afterRunning } from "../../time/after-running.ts";

/** The answer of a running Hearth to a second one. It has no token, because other users of the machine can ask, too. */
export interface RunningInstance {
  pid: number;
  /** Address of its console, once it has one. */
  console?: string | undefined;
  /** Base URLs of its services by name, once they answer. */
  urls?: Record<string, string> | undefined;
  /** It has a window. On request, it has brought the window to the front. */
  window: boolean;
  /** It is about to release the lock, so the second Hearth waits. */
  isEnding?: boolean;
}

export interface InstanceLock {
  release(): Promise<void>;
}

const answerWithinMs = 5_000;
/** Requests to a running Hearth: identify itself, or also show its window, with the link or file that follows. */
export type InstanceRequest = "ask" | "show" | `show ${string}`;

const readRequest = (text: string): InstanceRequest =>
  text === "show" || text.startsWith("show ") ? (text as "show") : "ask";

/** The longest path of a socket file (macOS: 104 bytes with the terminating zero). */
const maxPathBytes = 103;

/** The address of the socket: the same for every spelling of the directory's path. */
export function lockAddress(dataDir: string, platform = process.platform): string {
  const real = realpathSync.native(dataDir);
  const key = createHash("sha256").update(real).digest("hex").slice(0, 32);
  if (platform === "linux") return `\0hearth-${key}`;
  const inside = join(real, "lock.sock");
  return Buffer.byteLength(inside) <= maxPathBytes ? inside : join(tmpdir(), `hearth-${key}.lock`);
}

/** False if another program listens at the address. */
async function listen(server: Server, address: string): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  server.once("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EADDRINUSE") resolve(false);
    else reject(error);
  });
  server.listen(address, () => resolve(true));
  return promise;
}

async function isRefused(address: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(address, () => resolve(false));
  socket.on("error", ({ code }: NodeJS.ErrnoException) => resolve(code === "ECONNREFUSED"));
  return promise.finally(() => socket.destroy());
}

const inertAfterMs = [100, 200, 400, 800];

/**
 * Whether nobody listens at a socket file. A listener that does not answer may be suspended, so it counts as alive.
 * macOS also refuses connections while many wait, so only repeated refusals count.
 */
async function isInert(address: string): Promise<boolean> {
  for (const ms of inertAfterMs) {
    if (!(await isRefused(address))) return false;
    await wait(ms);
  }
  return isRefused(address);
}

function endInTime(socket: Socket): void {
  const late = afterRunning(answerWithinMs, () => void socket.destroy());
  socket.once("close", () => clearInterval(late));
}

/** Asks the holder of the lock; undefined if nobody answers. */
async function askHolder(address: string, request: InstanceRequest): Promise<RunningInstance | undefined> {
  const { promise, resolve } = Promise.withResolvers<RunningInstance | undefined>();
  let answer = "";
  const socket = connect(address, () => socket.write(request)).setEncoding("utf8");
  endInTime(socket);
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

interface LockOptions {
  /** The request to the holder of the lock, if there is one. */
  readonly request?: InstanceRequest;
  /** Called with the reason for a longer wait. */
  readonly onWait?: (message: string) => void;
  readonly platform?: NodeJS.Platform;
}

/**
 * Takes the lock of a data directory, which must exist. `describe` is called each time a second instance connects, and
 * returns the answer to it; for "show" it may also bring the window to the front.
 * @param request the request of this start to a running Hearth
 * @returns the lock, or its holder
 */
export async function takeInstanceLock(
  dataDir: string,
  describe: (request: InstanceRequest) => RunningInstance,
  { request = "show", onWait, platform = process.platform }: LockOptions = {},
): Promise<{ lock: InstanceLock } | { holder: RunningInstance | undefined }> {
  const address = lockAddress(dataDir, platform);
  // Commands that only query the holder do not need these modules.
  const { lockFile, lockFileSoon } = await import("../../process/file-lock.ts");
  const { servicesEnd } = await import("../../process/lifetime/services-lock.ts");
  const path = join(dataDir, "lock.db");
  let file = lockFile(path);
  while (file === "held") {
    const holder = await askHolder(address, request);
    if (holder?.isEnding === true || holder === undefined) file = await lockFileSoon(path);
    if (file === "held" && holder?.isEnding !== true) return { holder };
  }
  const reportServices = () => onWait?.("waiting for the services of a killed Hearth to stop");
  if (!(await servicesEnd(dataDir, reportServices))) {
    if (file !== "none") file.release();
    return { holder: undefined };
  }
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    endInTime(socket);
    socket.once("data", (text) => socket.end(JSON.stringify(describe(readRequest(String(text))))));
  });
  let isListening = await listen(server, address).catch((error: unknown) => {
    // Some file systems have locks, but no sockets.
    if (file === "none") throw error;
    return false;
  });
  // The holder of the file's lock also owns the socket's name. Without locks, a running Hearth may own it.
  const isStale = file === "none" ? isInert : isRefused;
  if (!isListening && address.startsWith("/") && (await isStale(address))) {
    rmSync(address, { force: true });
    isListening = await listen(server, address);
  }
  // A program that holds the socket's name without the file's lock may belong to another user.
  if (!isListening && file === "none") return { holder: await askHolder(address, request) };
  const release = async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    // The socket is closed first: closing it removes its file, which could be the next Hearth's after the lock is
    // released.
    if (isListening) server.close(() => resolve());
    else resolve();
    if (file !== "none") file.release();
    await promise;
  };
  return { lock: { release } };
}

/** The Hearth that runs on a data directory; undefined if none does. */
export async function findRunning(dataDir: string, platform = process.platform): Promise<RunningInstance | undefined> {
  return existsSync(dataDir) ? askHolder(lockAddress(dataDir, platform), "ask") : undefined;
}

const portsText = (ports: readonly number[]) => (ports.length === 0 ? "" : `, ports ${ports.join(", ")}`);

/** The ports at which a Hearth listens, as far as its services answer. */
export const portsOfInstance = ({ urls = {} }: RunningInstance): number[] => [
  ...new Set(Object.values(urls).map(portOf)),
];

/** One line about the Hearth that already uses the data directory. */
export function describeHolder(dataDir: string, holder: RunningInstance | undefined): string {
  const who =
    holder === undefined
      ? " (it does not respond: perhaps it runs in another container, or its services are still stopping)"
      : ` (pid ${holder.pid}${holder.console ? `, ${holder.console}` : ""}${portsText(portsOfInstance(holder))})`;
  return `the data directory ${dataDir} is in use by another Hearth${who}; stop it, or choose another with --data-dir`;
}
