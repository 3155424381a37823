/**
 * Replaces what makes a process differ from run to run: time, timers, random values, and the threads that sign. Import
 * this file before any module of the product, and only in a process of its own.
 */
import crypto from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import files from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";
import { promisify } from "node:util";
import { Random } from "./random.ts";

interface Timer {
  readonly due: number;
  readonly order: number;
  readonly run: () => void;
}

const startOfTime = Date.parse("2026-03-01T00:00:00+08:00");
const turn = setImmediate;

let time = startOfTime;
let random = new Random(0);
let order = 0;
let timersByOrder = new Map<number, Timer>();
/** Statements and messages so far: while it grows, somebody works. */
let activity = 0;

export const noteActivity = (): void => void activity++;

const readTime = (): number => time;

/** Begins a new life: same seed, same values. */
export function beginTime(seed: number): void {
  time = startOfTime;
  random = new Random(seed);
  timersByOrder = new Map();
}

/** How often a process has ended. */
let ends = 0;

/** Drops all timers, as the end of a process does. */
export function dropTimers(): void {
  ends++;
  timersByOrder.clear();
}

function addTimer(run: (...values: unknown[]) => void, ms = 0, ...values: unknown[]): object {
  const own = ++order;
  const work = () => run(...values);
  timersByOrder.set(own, { due: time + Math.max(1, Number(ms)), order: own, run: work });
  const handle = { order: own, ref: () => handle, unref: () => handle, hasRef: () => true, refresh: () => handle };
  return handle;
}

/** Runs again under the same handle. */
function addInterval(run: () => void, ms = 0): object {
  const handle = addTimer(function again() {
    const { order: own } = handle as { order: number };
    timersByOrder.set(own, { due: time + Math.max(1, ms), order: own, run: again });
    run();
  }, ms);
  return handle;
}

function removeTimer(handle: unknown): void {
  const { order: own } = (handle ?? {}) as { order?: number };
  if (own !== undefined) timersByOrder.delete(own);
}

const nextTimer = (): Timer | undefined =>
  [...timersByOrder.values()].reduce<Timer | undefined>(
    (first, one) => (!first || one.due < first.due || (one.due === first.due && one.order < first.order) ? one : first),
    undefined,
  );

const quietTurns = 4;

/** Files and modules that are being read take real time, but none of the life's. */
const isReading = (): boolean =>
  process.getActiveResourcesInfo().some((kind) => /^(?:FSReq|FileHandle|SignRequest|KeyPair|Worker)/.test(kind));

/** Resolves when nobody works any more without time going on. */
export async function settle(): Promise<void> {
  for (let quiet = 0, before = activity; quiet < quietTurns; quiet++) {
    await new Promise((resolve) => turn(resolve));
    if (activity !== before || isReading()) quiet = -1;
    before = activity;
  }
}

/** Lets time go on, from timer to timer, until the process ends. */
export async function passTime(ms: number): Promise<void> {
  const end = time + ms;
  const before = ends;
  await settle();
  for (let next = nextTimer(); ends === before && next && next.due <= end; next = nextTimer()) {
    time = Math.max(time, next.due);
    timersByOrder.delete(next.order);
    next.run();
    await settle();
  }
  if (ends === before) time = end;
}

/** Waits for a result, letting time go on as far as that needs. */
export async function awaitResult<Value>(promise: Promise<Value>, mostMs: number): Promise<Value | undefined> {
  let result: { value: Value } | undefined;
  let failure: { error: unknown } | undefined;
  promise.then(
    (value) => (result = { value }),
    (error: unknown) => (failure = { error }),
  );
  const end = time + mostMs;
  await settle();
  while (!result && !failure) {
    const next = nextTimer();
    if (!next || next.due > end) return undefined;
    await passTime(Math.max(0, next.due - time));
  }
  if (failure) throw failure.error;
  return result?.value;
}

const later = <Key extends unknown[], Result>(compute: (...values: Key) => Result) =>
  ((...values: [...Key, unknown]) => {
    const done = values.at(-1);
    if (typeof done !== "function") return compute(...(values as unknown as Key));
    const result = compute(...(values.slice(0, -1) as unknown as Key));
    queueMicrotask(() => (done as (error: null, value: Result) => void)(null, result));
    return undefined;
  }) as never;

function uuid(): string {
  const hex = random.bytes(16).toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

function replaceProcess(): void {
  Date.now = readTime;
  performance.now = () => time - startOfTime;
  Object.assign(globalThis, { setTimeout: addTimer, setInterval: addInterval });
  Object.assign(globalThis, { clearTimeout: removeTimer, clearInterval: removeTimer });
  const sleep = (ms = 0, value?: unknown) => new Promise((resolve) => addTimer(() => resolve(value), ms));
  Object.assign(timers, { setTimeout: sleep });
  Object.assign(files, {
    writeFile: async (...values: Parameters<typeof writeFileSync>) => writeFileSync(...values),
    rename: async (...values: Parameters<typeof renameSync>) => renameSync(...values),
    rm: async (...values: Parameters<typeof rmSync>) => rmSync(...values),
  });
  const { generateKeyPair, sign } = crypto;
  const makeKeys = promisify(generateKeyPair) as (type: "rsa", options: object) => Promise<unknown>;
  Object.assign(crypto, {
    // Short keys sign four times as fast, and no life looks at their length.
    generateKeyPair: Object.assign(() => undefined, {
      [promisify.custom]: (type: "rsa", options: object) => makeKeys(type, { ...options, modulusLength: 1024 }),
    }),
    randomUUID: uuid,
    randomBytes: later((count: number) => random.bytes(count)),
    randomFillSync: (into: Uint8Array) => {
      into.set(random.bytes(into.length));
      return into;
    },
    randomInt: (from: number, to?: number) => (to === undefined ? random.below(from) : from + random.below(to - from)),
    sign: later((...values: Parameters<typeof sign>) => {
      noteActivity();
      return sign(...values);
    }),
  });
  syncBuiltinESMExports();
}

replaceProcess();
