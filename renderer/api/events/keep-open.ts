/** The part of the browser's EventSource that is used here. */
export interface EventSourceLike {
  readonly readyState: number;
  addEventListener(type: string, listen: (message: { data?: unknown }) => void): void;
  close(): void;
}

/** Opens a stream of this origin by its path: at once, or after the login if nobody is logged in. */
export type OpenStream = (path: string) => EventSourceLike | Promise<EventSourceLike>;

const closed = 2;

interface Page {
  readonly visibilityState: string;
  addEventListener(type: "visibilitychange", listen: () => void): void;
  removeEventListener(type: "visibilitychange", listen: () => void): void;
}

/** None in tests without a browser. */
function currentPage(): Page | undefined {
  const place: Pick<typeof globalThis, "setTimeout"> & { readonly document?: Page } = globalThis;
  return place.document;
}

/**
 * Keeps a stream of server-sent events open until the returned function is called. EventSource reconnects automatically
 * while the server is unreachable, but gives up on an error response (a restart in progress, an unknown cookie). A new
 * stream is then opened after `pauseMs`, which receives the number of consecutive failures. `attach` adds listeners to
 * each stream. A page that nobody sees has none: browsers open six connections to a host, for all tabs together.
 */
export function keepOpen(
  open: () => ReturnType<OpenStream>,
  attach: (source: EventSourceLike) => void,
  pauseMs: (failures: number) => number,
): () => void {
  let source: EventSourceLike | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  /** The number of the current opening. A stream that an earlier opening brings late is closed. */
  let turn = 0;
  const connect = () => {
    const mine = ++turn;
    const opened = open();
    if (opened instanceof Promise) void opened.then((late) => (mine === turn ? keep(late) : late.close()));
    else keep(opened);
  };
  const disconnect = () => {
    turn++;
    clearTimeout(timer);
    source?.close();
    source = undefined;
  };
  const keep = (current: EventSourceLike) => {
    source = current;
    attach(current);
    current.addEventListener("open", () => {
      failures = 0;
    });
    current.addEventListener("error", () => {
      if (current.readyState !== closed || source !== current) return;
      current.close();
      failures += 1;
      timer = setTimeout(connect, pauseMs(failures));
    });
  };
  const follow = () => {
    disconnect();
    if (currentPage()?.visibilityState !== "hidden") connect();
  };
  follow();
  currentPage()?.addEventListener("visibilitychange", follow);
  return () => {
    currentPage()?.removeEventListener("visibilitychange", follow);
    disconnect();
  };
}
