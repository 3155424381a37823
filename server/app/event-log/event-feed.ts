import { setImmediate, setTimeout as wait } from "node:timers/promises";
import type { CloudEvent } from "../../contract/console/traffic/stored-event.ts";
import type { EventStream } from "../../http/connection/bodies/event-streams.ts";
import type { EventLog } from "./event-log.ts";
import { startSharedTimer } from "../../trace/span.ts";

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

/** Interval at which followers learn at most that requests were recorded. */
const activityMs = 500;
const activityFrame = Buffer.from("event: activity\ndata: {}\n\n");

/**
 * Sends stored events to followers, in order. Each event is read and serialized once for all of them. The newest events
 * stay in memory for followers that are slightly behind; a follower further behind reads from the log. A slow reader
 * therefore costs no memory and misses nothing.
 *
 * A new event marks the feed as stale, and one refresh at a time reads and sends until nothing is new. Without
 * followers nothing is read: the next refresh skips that gap.
 */
export class EventFeed {
  readonly #deps: Options;
  readonly #followers = new Set<Follower>();
  /** The newest events, with all after the id `completeAfter`. */
  #recent: Frame[] = [];
  #recentBytes = 0;
  #completeAfter = 0;
  #newest = 0;
  #joined: { from: number; last: number; newest: number; bytes: Buffer } | undefined;
  #isRefreshing = false;
  /** Whether the log may have events after `newest`. */
  #isStale = false;
  #hasGap = true;
  #activity: NodeJS.Timeout | undefined;

  constructor(deps: Options) {
    this.#deps = deps;
    const { log, onOthersEvents, onActivity } = deps;
    log.subscribe(() => this.#refresh());
    onOthersEvents(() => this.#refresh());
    onActivity(() => {
      if (this.#followers.size > 0 && !this.#activity)
        this.#activity = startSharedTimer(() => this.#announceActivity(), activityMs).unref();
    });
  }

  /** Returns the id after which events are to be sent: `after` where it is an id of this log, otherwise the newest. */
  async startFrom(after: number | undefined): Promise<number> {
    const newestId = await this.#deps.log.newestId();
    // An id that is still to come belongs to another log.
    return after === undefined || after > newestId ? newestId : after;
  }

  /** Sends the events after the id `start`. */
  follow(stream: EventStream, start: number): void {
    const follower: Follower = { stream, sent: start, reading: false };
    this.#followers.add(follower);
    stream.onReady(() => this.#notify(follower));
    stream.onClose(() => this.#followers.delete(follower));
    this.#refresh();
  }

  #keep(frames: readonly Frame[]): void {
    for (const frame of frames) {
      this.#recent.push(frame);
      this.#recentBytes += frame.bytes.length;
      this.#newest = frame.id;
    }
    if (this.#recent.length <= kept.frames && this.#recentBytes <= kept.bytes) return;
    let count = 0;
    // Half of the frames are dropped at once, so that this happens seldom.
    while (
      this.#recent.length - count > kept.frames / 2 ||
      (this.#recentBytes > kept.bytes / 2 && count < this.#recent.length)
    ) {
      this.#recentBytes -= this.#recent[count]?.bytes.length ?? 0;
      this.#completeAfter = this.#recent[count]?.id ?? this.#completeAfter;
      count++;
    }
    this.#recent = this.#recent.slice(count);
  }

  /** Joins the frames after an id to one write. Followers at the same place share the bytes. */
  #framesAfter(from: number) {
    if (this.#joined?.from === from && this.#joined.newest === this.#newest) return this.#joined;
    const at = this.#recent.findLastIndex(({ id }) => id <= from) + 1;
    const chosen: Frame[] = [];
    let size = 0;
    for (let i = at; i < this.#recent.length && size < mostAtOnce; i++) {
      const frame = this.#recent[i] as Frame;
      chosen.push(frame);
      size += frame.bytes.length;
    }
    const bytes = chosen.length === 1 && chosen[0] ? chosen[0].bytes : Buffer.concat(chosen.map((one) => one.bytes));
    return (this.#joined = { from, last: chosen.at(-1)?.id ?? from, newest: this.#newest, bytes });
  }

  /** Sends a follower as much as it can take. */
  #notify(follower: Follower): void {
    const { stream } = follower;
    while (!follower.reading && this.#followers.has(follower) && stream.isReady()) {
      if (follower.sent < this.#completeAfter) {
        this.#readFor(follower).catch((error: unknown) => this.#cut([follower], error));
        return;
      }
      if (follower.sent >= this.#newest) return;
      const { bytes, last } = this.#framesAfter(follower.sent);
      follower.sent = last;
      stream.write(bytes);
    }
  }

  /** Serves a follower that is behind the kept events. */
  async #readFor(follower: Follower): Promise<void> {
    follower.reading = true;
    const frames = (await this.#deps.log.after(follower.sent, batch)).map(frameOf);
    follower.reading = false;
    follower.sent = frames.at(-1)?.id ?? this.#completeAfter;
    if (this.#followers.has(follower)) follower.stream.write(Buffer.concat(frames.map(({ bytes }) => bytes)));
    this.#notify(follower);
  }

  #cut(behind: Iterable<Follower>, error: unknown): void {
    this.#deps.onError(error);
    for (const { stream } of behind) stream.cut();
  }

  async #notifyAll(): Promise<void> {
    let reported = 0;
    for (const follower of this.#followers) {
      this.#notify(follower);
      if (++reported % inOneTurn === 0) await setImmediate();
    }
  }

  /** Begins anew behind the last events, which were not kept. */
  async #skipGap(): Promise<void> {
    this.#hasGap = false;
    const id = await this.#deps.log.newestId();
    [this.#recent, this.#recentBytes, this.#joined] = [[], 0, undefined];
    this.#completeAfter = this.#newest = id;
  }

  async #refreshWhileStale(): Promise<void> {
    while (this.#isStale && this.#followers.size > 0) {
      this.#isStale = false;
      const beganAt = performance.now();
      if (this.#hasGap) await this.#skipGap();
      const events = await this.#deps.log.after(this.#newest, batch);
      if (events.length === batch) this.#isStale = true;
      this.#keep(events.map(frameOf));
      await this.#notifyAll();
      const took = performance.now() - beganAt;
      if (took > 1) await wait(took * (1 / mostOfTheTime - 1), undefined, { ref: false });
    }
  }

  #refresh(): void {
    this.#isStale = true;
    if (this.#followers.size === 0) this.#hasGap = true;
    if (this.#isRefreshing || this.#followers.size === 0) return;
    this.#isRefreshing = true;
    this.#refreshWhileStale()
      .catch((error: unknown) => this.#cut(this.#followers, error))
      .finally(() => (this.#isRefreshing = false));
  }

  #announceActivity(): void {
    this.#activity = undefined;
    for (const { stream } of this.#followers) if (stream.isReady()) stream.write(activityFrame);
  }
}
