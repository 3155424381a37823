/** Sends what an asynchronous generator of the code yields as server-sent events. */
import { setTimeout } from "node:timers/promises";

/** A generator that fails sooner is answered with its error. */
const openAfterMs = 50;
const longestEvent = 1024 * 1024;

interface Reader {
  readonly open: () => void;
  /** Resolves when the reader can take more; false once it is gone. */
  readonly write: (frame: string) => Promise<boolean>;
}

const isIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;

/** A name or an id is one line. */
const line = (name: string, value: string | number | undefined) =>
  value === undefined ? "" : `${name}: ${String(value).replace(/[\r\n]+/g, " ")}\n`;

/** @throws TypeError for a value that is no event */
function frameOf(event: unknown): string {
  if (typeof event !== "object" || event === null || !("data" in event))
    throw new TypeError("yield an object with the member data");
  const { data, event: name, id } = event as { data: unknown; event?: string; id?: string | number };
  const text = typeof data === "string" ? data : JSON.stringify(data);
  if (text === undefined) throw new TypeError(`a ${typeof data} is no JSON`);
  if (text.length > longestEvent) throw new TypeError("the event is longer than 1 MB");
  const lines = text.split(/\r\n|[\r\n]/).map((one) => `data: ${one}\n`);
  return `${line("event", name)}${line("id", id)}${lines.join("")}\n`;
}

/** @param onIterator called with what ends the generator early @throws the code's error */
export async function streamEvents(
  returned: unknown,
  { open, write }: Reader,
  onIterator: (end: () => void) => void,
): Promise<void> {
  if (!isIterable(returned)) throw new TypeError("the handler of sse must be an async function* that yields events");
  const iterator: AsyncIterator<unknown, unknown> = returned[Symbol.asyncIterator]();
  const end = () => void iterator.return?.().catch(() => undefined);
  onIterator(end);
  let next = iterator.next();
  await Promise.race([next, setTimeout(openAfterMs)]);
  open();
  for (;;) {
    const { done, value } = await next;
    if (done === true) return;
    if (!(await write(frameOf(value)))) return end();
    next = iterator.next();
  }
}
