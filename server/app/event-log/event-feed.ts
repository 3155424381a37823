/**
 * Sends stored events to followers, in order. Each event is read and serialized once for all of them. The newest events
 * stay in memory for followers that are slightly behind; a follower further behind reads from the log. A slow reader
 * therefore costs no memory and misses nothing.
 */
import { setImmediate, setTimeout as wait } from "node:timers/promises";
import type { CloudEvent } from "../../contract/console/traffic/events.ts";
import type { EventStream } from "../../http/connection/bodies/event-streams.ts";
import type { EventLog } from "./event-log.ts";

export interface EventFeed {
  /** The id after which events are to be sent: `after` where it is one of this log; without it, the newest. */
  startFrom(after: number | undefined): Promise<number>;
  /** Sends the events after the id `start`. */
  follow(stream: EventStream, start: number): void;
}

interface Follower {
  readonly stream: EventStream;
  /** Id of the last event sent. */
  sent: number;
  reading: boolean;
}

interface Frame {
  readonly id: number;
  readonly bytes: Buffer;
}

/** Events read from the log at a time. */
const batch = 500;
/** Bytes written to a stream at a time, roughly. */
const mostAtOnce = 64 * 1024;
/** Limits of the events kept in memory. */
const kept = { frames: 2_000, bytes: 4 * 1024 * 1024 };
/** Followers served in one turn of the event loop; requests run in between. */
const inOneTurn = 100;
/** Sending takes at most this share of the time. With many followers, several events go out together. */
const mostOfTheTime = 1 / 4;

const frameOf = (event: CloudEvent): Frame => ({
  id: Number(event.id),
  bytes: Buffer.from(`id: ${event.id}\nevent: event\ndata: ${JSON.stringify(event)}\n\n`),
});

interface Options {
  readonly log: Pick<EventLog, "after" | "newestId" | "subscribe">;
  /** Calls `listen` when another instance may have stored events. */
  readonly onOthersEvents: (listen: () => void) => void;
  /** Calls `listen` when requests have been recorded. */
  readonly onActivity: (listen: () => void) => void;
  /** Called when events could not be read; those who follow are cut off, and come again. */
  readonly onError: (error: unknown) => void;
}

/** At most so often followers are told that requests were recorded. */
const activityMs = 500;
const activityFrame = Buffer.from("event: activity\ndata: {}\n\n");

export function createEventFeed({ log, onOthersEvents, onActivity, onError }: Options): EventFeed {
  const followers = new Set<Follower>();
  /** The newest events, with all after the id `completeAfter`. */
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
    // Half of them are dropped at once, so that this happens seldom.
    while (recent.length - count > kept.frames / 2 || (recentBytes > kept.bytes / 2 && count < recent.length)) {
      recentBytes -= recent[count]?.bytes.length ?? 0;
      completeAfter = recent[count]?.id ?? completeAfter;
      count++;
    }
    recent = recent.slice(count);
  }

  /** The frames after an id, joined to one write. Followers at the same place share the bytes. */
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

  /** Sends a follower as much as it can take. */
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

  /** Serves a follower that is behind the kept events. */
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

  /** Without followers, the last events were not kept: there is a gap. */
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
  onOthersEvents(refresh);
  onActivity(() => {
    if (followers.size > 0) activity ??= setTimeout(announceActivity, activityMs).unref();
  });
  return {
    async startFrom(after) {
      const newestId = await log.newestId();
      // An id that is still to come is that of another log.
      return after === undefined || after > newestId ? newestId : after;
    },

    follow(stream, start) {
      const follower: Follower = { stream, sent: start, reading: false };
      followers.add(follower);
      stream.onReady(() => notify(follower));
      stream.onClose(() => followers.delete(follower));
      refresh();
    },
  };
}
