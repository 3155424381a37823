import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CloudEvent } from "../../../../server/contract/console/traffic/stored-event.ts";
import { consoleToken, startTestApp, type TestApp } from "../../../support/app/test-app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const notify = (df: string) =>
  fetch(`${app.url}/api/inotify/`, { method: "POST", body: new URLSearchParams({ df, ev: "create" }) });

/** Reads events from the stream until `count` have come, then closes it. */
async function read(count: number, lastEventId?: string, onOpen = async () => {}): Promise<CloudEvent[]> {
  const stop = new AbortController();
  const response = await fetch(`${app.url}/console/api/events/stream`, {
    headers: {
      Authorization: `Bearer ${consoleToken}`,
      ...(lastEventId !== undefined && { "Last-Event-ID": lastEventId }),
    },
    signal: stop.signal,
  });
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const opened = onOpen();
  const events: CloudEvent[] = [];
  let text = "";
  for await (const chunk of (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const frames = text.split("\n\n");
    text = frames.pop() ?? "";
    for (const frame of frames) {
      // Frames without an id tell that something was stored, and hold no event.
      const data = /^id: .*$/m.test(frame) ? /^data: (.*)$/m.exec(frame)?.[1] : undefined;
      if (data !== undefined) events.push(JSON.parse(data) as CloudEvent);
    }
    if (events.length >= count) break;
  }
  await opened;
  stop.abort();
  return events;
}
const pathsOf = (events: CloudEvent[]) => events.map(({ data }) => (data as { df: string }).df);

describe("GET /console/api/events/stream", () => {
  it("sends what happens from now on as CloudEvents 1.0", async () => {
    await notify("/before");
    const [event] = await read(1, undefined, async () => void (await notify("/live")));
    expect(event).toEqual({
      specversion: "1.0",
      id: expect.stringMatching(/^\d+$/),
      source: "/app/file-events",
      type: "file.changed",
      subject: "/live",
      time: expect.stringMatching(/Z$/),
      traceparent: expect.stringMatching(/^00-/),
      datacontenttype: "application/json",
      data: expect.objectContaining({ df: "/live", ev: "create" }),
    });
  });

  it("goes on after Last-Event-ID without a gap or a repeat, also while events keep coming", async () => {
    const [mark] = await read(1, undefined, async () => void (await notify("/mark")));
    const missed = Array.from({ length: 20 }, (_, i) => `/missed/${String(i)}`);
    for (const df of missed) await notify(df);
    const live = Array.from({ length: 20 }, (_, i) => `/live/${String(i)}`);
    const events = await read(40, mark?.id, async () => {
      for (const df of live) await notify(df);
    });
    expect(pathsOf(events)).toEqual([...missed, ...live]);
  });

  it("sends what happens from now on to a client that comes with an id of another log", async () => {
    const [event] = await read(1, "999999999", async () => void (await notify("/new-log")));
    expect(event).toMatchObject({ subject: "/new-log" });
  });

  it("gives a client that is cut off before its first event the id after which the next ones come", async () => {
    const [mark] = await read(1, undefined, async () => void (await notify("/before")));
    const { body } = await fetch(`${app.url}/console/api/events/stream`, {
      headers: { Authorization: `Bearer ${consoleToken}` },
    });
    let text = "";
    for await (const chunk of (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
      text += chunk;
      if (text.includes("id: ")) break;
    }
    const [, id] = /^id: (\d+)\n\n/m.exec(text) ?? [];
    expect(id).toBe(mark?.id);
    await notify("/missed");
    expect(pathsOf(await read(1, id))).toEqual(["/missed"]);
  });

  it("catches up over more events than one read of the log takes", async () => {
    const [mark] = await read(1, undefined, async () => void (await notify("/start")));
    // Not all at once: a connection is given up after a while, which is too short for so many on a slow machine.
    for (let hundred = 0; hundred < 11; hundred++)
      await Promise.all(Array.from({ length: 100 }, (_, i) => notify(`/many/${String(hundred * 100 + i)}`)));
    const events = await read(1100, mark?.id);
    expect(new Set(pathsOf(events)).size).toBe(1100);
    expect(events.map(({ id }) => Number(id))).toEqual(events.map((_, i) => Number(mark?.id) + 1 + i));
  });
});
