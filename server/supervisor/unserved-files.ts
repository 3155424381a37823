/** Reports on the user's files of a run: collections and fixed answers. */
import type { HearthEvents } from "../contract/console/traffic/events.ts";
import { consoleAccess } from "./console-access.ts";

interface FileEvent {
  readonly type: string;
  readonly data: HearthEvents["collection.failed"];
}

/** The path of the events, below the console's API, in which `unservedIn` looks. */
export const fileEventsPath = "/events?source=/app/collections";

/** The files that cannot be served, each with the position and the problem: `/shop/books.json:2:3: …`. */
export const unservedIn = (answer: unknown): string[] =>
  (answer as { events: FileEvent[] }).events
    .filter(({ type }) => type.endsWith(".failed"))
    .map(({ data: { file, line, column, message } }) => `${file}:${String(line)}:${String(column)}: ${message}`);

/** @param console the address with the run's token, as in its ready file */
export async function unservedFiles(console: string): Promise<string[]> {
  const { origin, token } = consoleAccess(console);
  const response = await fetch(`${origin}/console/api${fileEventsPath}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return unservedIn(await response.json());
}
