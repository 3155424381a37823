/** The limits of open files and connections of a process. */
import { readFileSync } from "node:fs";
import type { Settings } from "../contract/process/settings.ts";

/** Files that a process opens besides those for its clients: databases, logs, channels, models. */
const reserved = 100;
/** Descriptors for each connection: it uses another connection or a file, and two services share one process. */
const perConnection = 2;
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

type Limits = Pick<Settings, "max_connections">;

/** The number of simultaneous connections that each service can accept. */
export function possibleConnections({ max_connections }: Limits, openFiles = maxOpenFiles()): number {
  const possible = Math.floor((openFiles - reserved) / perConnection);
  return Math.min(max_connections, Math.max(leastConnections, possible));
}

/** One line if that is fewer than the setting. */
export function openFilesWarning(settings: Limits, openFiles = maxOpenFiles()): string | undefined {
  const { max_connections: wanted } = settings;
  const possible = possibleConnections(settings, openFiles);
  if (possible >= wanted) return undefined;
  const needed = reserved + perConnection * wanted;
  return `${String(openFiles)} open files are too few for max_connections ${String(wanted)}, which needs ${String(needed)} (raise ulimit -n): each service takes ${String(possible)} connections at a time`;
}
