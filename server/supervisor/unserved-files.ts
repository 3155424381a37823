/** Reports on the user's files of a run: collections and fixed answers. */
import type { HearthEvents } from "../contract/console/traffic/events.ts";
import { consoleAccess } from "./console-access.ts";

interface FileEvent {
  readonly type: string;
  readonly data: HearthEvents["collection.failed"];
}

/**
 * The files that cannot be served, each with the position and the problem: `/shop/books.json:2:3: …`.
 * @param console the address with the run's token, as in its ready file
 */
export async function unservedFiles(console: string): Promise<string[]> {
  const { origin, token } = consoleAccess(console);
  const response = await fetch(`${origin}/console/api/events?source=/app/collections`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  const { events } = (await response.json()) as { events: FileEvent[] };
  return events
    .filter(({ type }) => type.endsWith(".failed"))
    .map(({ data: { file, line, column, message } }) => `${file}:${String(line)}:${String(column)}: ${message}`);
}
