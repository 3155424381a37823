/** Listens on the runner's socket: a file that only its owner may use, or a named pipe on Windows. */
import { rmSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { connect } from "node:net";

/** Whether a process answers there. Nobody answers on a file left by a killed process. */
const isAlive = (path: string) =>
  new Promise<boolean>((resolve) => {
    const probe = connect(path);
    probe.once("connect", () => {
      probe.destroy();
      resolve(true);
    });
    probe.once("error", () => resolve(false));
  });

/**
 * Resolves once the socket answers. Closing the server removes the file.
 * @throws Error when another process listens there, or the folder cannot be written.
 */
export async function listenOnSocket(handler: RequestListener, path: string): Promise<Server> {
  const isFile = process.platform !== "win32";
  if (await isAlive(path)) throw new Error(`another process listens on ${path}`);
  if (isFile) rmSync(path, { force: true });
  const server = createServer({ requestTimeout: 0 }, handler);
  // The file needs its mode from the first moment, so it cannot be set afterwards.
  const umask = isFile ? process.umask(0o177) : undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(path, resolve);
    });
  } finally {
    if (umask !== undefined) process.umask(umask);
  }
  return server;
}
