/** A client of the console's API for the tray and the notifications. */
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { setTimeout } from "node:timers/promises";
import { streamStoredEvents } from "../../server/contract/console/traffic/event-endpoints.ts";
import { cloudEventSchema, type CloudEvent } from "../../server/contract/console/traffic/stored-event.ts";
import {
  listWatchedFolders,
  updateWatchedFolder,
  watchedFolderSchema,
  type WatchedFolder,
} from "../../server/contract/console/data/watched-folders.ts";
import { readLines } from "../../server/contract/read-lines.ts";

const answerWithinMs = 5_000;
const pauseMs = 2_000;

interface Access {
  /** The application server's origin; undefined while it does not answer. */
  readonly origin: () => string | undefined;
  readonly token: string;
}

interface Follower {
  /** Called when events begin to arrive. Earlier events, and those during a lost connection, never arrive. */
  readonly onConnect: () => void;
  readonly onEvent: (event: CloudEvent) => void;
}

function parseEvent(text: string): CloudEvent | undefined {
  try {
    return cloudEventSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

export function createConsoleClient({ origin, token }: Access) {
  function addressOf(path: string): string {
    const address = origin();
    if (address === undefined) throw new Error("the application server is not up");
    return `${address}${path}`;
  }
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };

  async function ask(path: string, init: RequestInit = {}): Promise<Response> {
    const signal = AbortSignal.timeout(answerWithinMs);
    const reply = await fetch(addressOf(path), { ...init, signal, headers });
    if (!reply.ok) throw new Error(`${path} returned ${String(reply.status)}`);
    return reply;
  }

  /** Without fetch, which would wake this process twice a second as long as the response lasts. */
  async function readEvents({ onConnect, onEvent }: Follower, signal: AbortSignal): Promise<void> {
    const request = get(addressOf(streamStoredEvents.path), { headers, signal });
    // A failure during the response reaches its reader.
    request.on("error", () => undefined);
    const [reply] = (await once(request, "response")) as [IncomingMessage];
    if (reply.statusCode !== 200) return void reply.destroy();
    onConnect();
    for await (const line of readLines(reply)) {
      const event = line.startsWith("data:") ? parseEvent(line.slice("data:".length)) : undefined;
      if (event) onEvent(event);
    }
  }

  return {
    async folders(): Promise<WatchedFolder[]> {
      const reply = await ask(listWatchedFolders.path);
      const { folders } = (await reply.json()) as { folders: unknown };
      return watchedFolderSchema.array().parse(folders);
    },
    async setPaused(folder: number, paused: boolean): Promise<void> {
      const path = updateWatchedFolder.path.replace("{id}", String(folder));
      await ask(path, { method: updateWatchedFolder.method, body: JSON.stringify({ paused }) });
    },
    /** Hands out each event from now on, over restarts of the application server, until `signal`. */
    async follow(follower: Follower, signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        await readEvents(follower, signal).catch(() => undefined);
        await setTimeout(pauseMs, undefined, { signal }).catch(() => undefined);
      }
    },
  };
}
export type ConsoleClient = ReturnType<typeof createConsoleClient>;
