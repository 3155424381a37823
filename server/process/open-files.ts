/** The limits of open files and connections of a process. */
import { readFileSync } from "node:fs";

/** Files that a process opens besides those for its clients: databases, logs, channels, models. */
const reserved = 100;
/** Descriptors for each connection: it uses another connection or a file, and two services share one process. */
const perConnection = 2;
/** More clients at a time would only wait for each other on a laptop. Beyond them, a service answers 503. */
const mostConnections = 2_000;
/** The minimum for a working service. */
const leastConnections = 8;

/** The limit of this process (`ulimit -n`); infinite if there is none. */
function maxOpenFiles(): number {
  try {
    const printed = /^Max open files\s+(\w+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
    return /^\d+$/.test(printed ?? "") ? Number(printed) : Infinity;
  } catch {
    return Infinity;
  }
}

/** The number of simultaneous connections that each service can accept. */
export function possibleConnections(openFiles = maxOpenFiles()): number {
  const possible = Math.floor((openFiles - reserved) / perConnection);
  return Math.min(mostConnections, Math.max(leastConnections, possible));
}

/** One line if the open files allow fewer connections than Hearth serves. */
export function openFilesWarning(openFiles = maxOpenFiles()): string | undefined {
  const possible = possibleConnections(openFiles);
  if (possible >= mostConnections) return undefined;
  const needed = reserved + perConnection * mostConnections;
  return `the limit of ${String(openFiles)} open files is too low for ${String(mostConnections)} connections, which need ${String(needed)} (raise ulimit -n): each service accepts ${String(possible)} connections at a time`;
}
