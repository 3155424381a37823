/**
 * Sends stored events to those who follow them: every event is read from the log and written as text once for all followers,
 * in order. What came last is kept for those who are a little behind; who is further behind reads from the log by itself. The
 * log is the buffer, so a slow reader costs no memory and misses nothing.
 */
import { setImmediate, setTimeout as wait } from "node:timers/promises";
import type { CloudEvent } from "../../contract/console/events.ts";
import type { EventStream } from "../../http/connection/event-streams.ts";
import type { EventLog } from "./event-log.ts";

export interface EventFeed {
  /** Sends the events after the one with the id `after`; without it those from now on. */
  follow(stream: EventStream, after: number | undefined): Promise<void>;
}

interface Follower {
  readonly stream: EventStream;
  /** Id of the last event that it was sent. */
  sent: number;
  reading: boolean;
}

interface Frame {
  readonly id: number;
  readonly bytes: Buffer;
}

/** Read from the log at a time. */
const batch = 500;
/** Written to a stream at a time, roughly, in bytes. */
const mostAtOnce = 64 * 1024;
/** Kept for those who are a little behind. */
const kept = { frames: 2_000, bytes: 4 * 1024 * 1024 };
/** Told in one turn of the event loop; requests come between. */
const inOneTurn = 100;
/** Telling takes at most this part of the time: with many followers, several events go out together. */
const mostOfTheTime = 1 / 4;

const frameOf = (event: CloudEvent): Frame => ({
  id: Number(event.id),
  bytes: Buffer.from(`id: ${event.id}\nevent: event\ndata: ${JSON.stringify(event)}\n\n`),
});

interface Options {
  readonly log: Pick<EventLog, "after" | "newestId" | "subscribe">;
  /** Calls `listen` when requests have been recorded. */
  readonly onActivity: (listen: () => void) => void;
  /** Called when events could not be read; those who follow are cut off, and come again. */
  readonly onError: (error: unknown) => void;
}

/** At most so often followers are told that requests were recorded. */
const activityMs = 500;
const activityFrame = Buffer.from("event: activity\ndata: {}\n\n");

export function createEventFeed({ log, onActivity, onError }: Options): EventFeed {
  const followers = new Set<Follower>();
  /** The newest events; all there are after the one with the id `completeAfter`. */
  let recent: Frame[] = [];
  let recentBytes = 0;
  let completeAfter = 0;
  let newest = 0;
  let joined: { from: number; last: number; newest: number; bytes: Buffer } | undefined;
  let refreshing = false;
  let fresh = false;
  let gap = true;

  function keep(frames: readonly Frame[]): void {
    for (const frame of frames) {
      recent.push(frame);
      recentBytes += frame.bytes.length;
      newest = frame.id;
    }
    if (recent.length <= kept.frames && recentBytes <= kept.bytes) return;
    let count = 0;
    // Half of it goes, so that this is seldom.
    while (recent.length - count > kept.frames / 2 || (recentBytes > kept.bytes / 2 && count < recent.length)) {
      recentBytes -= recent[count]?.bytes.length ?? 0;
      completeAfter = recent[count]?.id ?? completeAfter;
      count++;
    }
    recent = recent.slice(count);
  }

  /** The kept frames after an id, as many as are written at once: the same bytes for all who are equally far. */
  function framesAfter(from: number) {
    if (joined?.from === from && joined.newest === newest) return joined;
    const at = recent.findLastIndex(({ id }) => id <= from) + 1;
    const chosen: Frame[] = [];
    let size = 0;
    for (let i = at; i < recent.length && size < mostAtOnce; i++) {
      const frame = recent[i] as Frame;
      chosen.push(frame);
      size += frame.bytes.length;
    }
    const bytes = chosen.length === 1 && chosen[0] ? chosen[0].bytes : Buffer.concat(chosen.map((one) => one.bytes));
    return (joined = { from, last: chosen.at(-1)?.id ?? from, newest, bytes });
  }

  /** Sends a follower what it can take of what there is. */
  function notify(follower: Follower): void {
    const { stream } = follower;
    while (!follower.reading && followers.has(follower) && stream.isReady()) {
      if (follower.sent < completeAfter) {
        readFor(follower).catch((error: unknown) => cut([follower], error));
        return;
      }
      if (follower.sent >= newest) return;
      const { bytes, last } = framesAfter(follower.sent);
      follower.sent = last;
      stream.write(bytes);
    }
  }

  /** For one who is further behind than what is kept. */
  async function readFor(follower: Follower): Promise<void> {
    follower.reading = true;
    const frames = (await log.after(follower.sent, batch)).map(frameOf);
    follower.reading = false;
    follower.sent = frames.at(-1)?.id ?? completeAfter;
    if (followers.has(follower)) follower.stream.write(Buffer.concat(frames.map(({ bytes }) => bytes)));
    notify(follower);
  }

  function cut(behind: Iterable<Follower>, error: unknown): void {
    onError(error);
    for (const { stream } of behind) stream.cut();
  }

  async function notifyAll(): Promise<void> {
    let reported = 0;
    for (const follower of followers) {
      notify(follower);
      if (++reported % inOneTurn === 0) await setImmediate();
    }
  }

  /** Nobody followed when the last events came: there is a gap behind what is kept. */
  async function skipGap(): Promise<void> {
    gap = false;
    const id = await log.newestId();
    [recent, recentBytes, joined] = [[], 0, undefined];
    completeAfter = newest = id;
  }

  async function refreshWhileFresh(): Promise<void> {
    while (fresh && followers.size > 0) {
      fresh = false;
      const beganAt = performance.now();
      if (gap) await skipGap();
      const events = await log.after(newest, batch);
      if (events.length === batch) fresh = true;
      keep(events.map(frameOf));
      await notifyAll();
      const took = performance.now() - beganAt;
      if (took > 1) await wait(took * (1 / mostOfTheTime - 1), undefined, { ref: false });
    }
  }

  function refresh(): void {
    fresh = true;
    if (followers.size === 0) gap = true;
    if (refreshing || followers.size === 0) return;
    refreshing = true;
    refreshWhileFresh()
      .catch((error: unknown) => cut(followers, error))
      .finally(() => (refreshing = false));
  }

  let activity: NodeJS.Timeout | undefined;
  function announceActivity(): void {
    activity = undefined;
    for (const { stream } of followers) if (stream.isReady()) stream.write(activityFrame);
  }

  log.subscribe(refresh);
  onActivity(() => {
    if (followers.size > 0) activity ??= setTimeout(announceActivity, activityMs).unref();
  });
  return {
    async follow(stream, after) {
      const sent = after ?? (await log.newestId());
      const follower: Follower = { stream, sent, reading: false };
      followers.add(follower);
      stream.onReady(() => notify(follower));
      stream.onClose(() => followers.delete(follower));
      refresh();
    },
  };
}
