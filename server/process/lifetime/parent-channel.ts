/** The channel to the parent: Node's of a fork or Electron's parentPort. A process that was started by hand has none. */
interface ElectronParentPort {
  on(event: "message", listen: (message: { data: unknown }) => void): void;
  postMessage(message: unknown): void;
}

type Listen = (message: unknown) => void;

export const electronPort = (process as { parentPort?: ElectronParentPort }).parentPort;
/** Electron ends its processes itself. */
export const isForked = () => electronPort === undefined && process.send !== undefined;
export const hasParent = () => electronPort !== undefined || isForked();

const listeners = new Set<Listen>();
/** Messages that nobody listened for. */
let held: unknown[] = [];
let isOpen = false;

function receive(message: unknown): void {
  if (listeners.size === 0 || held.length > 0) held.push(message);
  else for (const listen of listeners) listen(message);
}

function deliverHeld(): void {
  if (listeners.size === 0) return;
  const before = held;
  held = [];
  before.forEach(receive);
}

/**
 * Listens to messages. A listener of the first turn also receives earlier messages. Returns the function that stops
 * listening.
 */
export function onParentMessage(listen: Listen): () => void {
  listeners.add(listen);
  process.nextTick(deliverHeld);
  if (!isOpen) {
    isOpen = true;
    if (electronPort) electronPort.on("message", ({ data }) => receive(data));
    else process.on("message", receive);
  }
  return () => void listeners.delete(listen);
}

/** The first message; undefined without a parent. Later messages wait for the next listener. */
export async function firstMessage(): Promise<unknown> {
  if (!hasParent()) return undefined;
  // The channel alone keeps the process alive until then.
  process.channel?.ref();
  const message = await new Promise((resolve) => {
    const forget = onParentMessage((first) => {
      forget();
      resolve(first);
    });
  });
  process.channel?.unref();
  return message;
}
