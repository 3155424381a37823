/** Readers of the events, who come again with the last id that they have seen, each from an address of its own. */
import { get, type ClientRequest, type IncomingMessage } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { consoleToken } from "../../faults/suite/hearth.ts";
import { until } from "../../faults/suite/until.ts";
import type { CloudEvent } from "../../../server/contract/console/traffic/stored-event.ts";
import type { Cluster } from "./cluster.ts";

/** Shorter than the server asks for, so that there is much to resume. */
const againAfterMs = 100;

interface Follower {
  /** Ids in the order in which they came. */
  readonly ids: number[];
  readonly connections: () => number;
  end(): void;
}

function follow(url: string, localAddress: string): Follower {
  const ids: number[] = [];
  let connections = 0;
  let ended = false;
  let request: ClientRequest | undefined;

  async function read(response: IncomingMessage): Promise<void> {
    connections++;
    let text = "";
    for await (const chunk of response.setEncoding("utf8") as AsyncIterable<string>) {
      const frames = (text + chunk).split("\n\n");
      text = frames.pop() ?? "";
      for (const frame of frames) {
        const id = /^id: (\d+)$/m.exec(frame)?.[1];
        if (id !== undefined) ids.push(Number(id));
      }
    }
  }

  async function goOn(): Promise<void> {
    while (!ended) {
      const last = ids.at(-1);
      const headers = {
        Authorization: `Bearer ${consoleToken}`,
        ...(last !== undefined && { "Last-Event-ID": String(last) }),
      };
      await new Promise<void>((resolve) => {
        const made = get(`${url}/console/api/events/stream`, { localAddress, headers, agent: false }, (response) => {
          if (response.statusCode === 200) read(response).then(resolve, () => resolve());
          else response.resume().once("close", resolve);
        });
        request = made.once("error", () => resolve());
      });
      await wait(againAfterMs);
    }
  }
  void goOn();
  return {
    ids,
    connections: () => connections,
    end() {
      ended = true;
      request?.destroy();
    },
  };
}

export async function followEvents(cluster: Cluster, count: number) {
  // nginx sends all requests of an address to the same instance.
  const followers = Array.from({ length: count }, (_, at) => follow(cluster.appUrl(), `127.0.0.${String(at + 2)}`));
  const page = async (query: string) =>
    ((await cluster.console("GET", `/events?limit=500${query}`)).body as { events: CloudEvent[] }).events;
  const newestId = async () => Number((await page(""))[0]?.id ?? 0);

  return {
    connections: () => followers.reduce((sum, one) => sum + one.connections(), 0),
    received: () => followers.reduce((sum, { ids }) => sum + ids.length, 0),
    /** Says what a follower has missed, or got twice or out of order, once each has the newest event. */
    async problems(): Promise<string[]> {
      const newest = await newestId();
      const found: string[] = [];
      for (const [at, { ids }] of followers.entries()) {
        const name = `follower ${String(at + 1)}`;
        await until(`${name} to come to the end`, () => (ids.at(-1) ?? 0) >= newest || undefined).catch(
          () => void found.push(`${name} has come to ${String(ids.at(-1))} of ${String(newest)}`),
        );
        const wrong = ids.findIndex((id, index) => index > 0 && id <= (ids[index - 1] ?? 0));
        if (wrong > 0) found.push(`${name} got ${String(ids[wrong])} after ${String(ids[wrong - 1])}`);
      }
      const firsts = followers.map(({ ids }) => ids[0] ?? newest);
      const stored: number[] = [];
      for (let before = newest + 1; before > Math.min(...firsts); before = stored.at(-1) ?? 0) {
        const events = await page(`&before=${String(before)}`);
        if (events.length === 0) break;
        stored.push(...events.map(({ id }) => Number(id)));
      }
      for (const [at, { ids }] of followers.entries()) {
        const got = new Set(ids);
        const missed = stored.filter((id) => id >= (ids[0] ?? newest) && !got.has(id));
        if (missed.length > 0)
          found.push(
            `follower ${String(at + 1)} missed ${String(missed.length)} events: ${missed.slice(0, 5).join(" ")}`,
          );
      }
      return found;
    },
    [Symbol.dispose]() {
      for (const one of followers) one.end();
    },
  };
}
