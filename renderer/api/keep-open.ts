/** The part of the browser's EventSource that is used here. */
export interface EventSourceLike {
  readonly readyState: number;
  addEventListener(type: string, listen: (message: { data?: unknown }) => void): void;
  close(): void;
}

/** Opens a stream of this origin by its path: at once, or after the login if nobody is logged in. */
export type OpenStream = (path: string) => EventSourceLike | Promise<EventSourceLike>;

const closed = 2;

/**
 * Keeps a stream of server-sent events open until the returned function is called. EventSource reconnects by itself
 * while the server is unreachable, but gives up on an error response (a restart in progress, an unknown cookie). A new
 * stream is then opened after `pauseMs`, which receives the number of consecutive failures. `attach` adds listeners to
 * each stream.
 */
export function keepOpen(
  open: () => ReturnType<OpenStream>,
  attach: (source: EventSourceLike) => void,
  pauseMs: (failures: number) => number,
): () => void {
  let source: EventSourceLike | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let stopped = false;
  const connect = () => {
    const opened = open();
    if (opened instanceof Promise) void opened.then(keep);
    else keep(opened);
  };
  const keep = (current: EventSourceLike) => {
    if (stopped) return current.close();
    source = current;
    attach(current);
    current.addEventListener("open", () => {
      failures = 0;
    });
    current.addEventListener("error", () => {
      if (current.readyState !== closed) return;
      current.close();
      failures += 1;
      timer = setTimeout(connect, pauseMs(failures));
    });
  };
  connect();
  return () => {
    stopped = true;
    clearTimeout(timer);
    source?.close();
  };
}
