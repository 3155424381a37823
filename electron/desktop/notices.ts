/** Shows notifications of the system for some events. Many of a kind at once are one notification. */
import type { ConsolePage } from "../../server/contract/console/console-pages.ts";
import type { NoticeKind } from "../../server/contract/console/machine/desktop.ts";
import { eventSchemas, type EventName, type HearthEvents } from "../../server/contract/console/traffic/events.ts";
import type { CloudEvent } from "../../server/contract/console/traffic/stored-event.ts";
import type { ShellText } from "../texts/shell-text.ts";

export interface DesktopNotice {
  readonly title: string;
  readonly body: string;
  /** Where the console shows more. */
  readonly page: ConsolePage;
}

interface Kind<Name extends EventName> {
  readonly type: Name;
  readonly page: ConsolePage;
  /** The text of one event; undefined for an event that is not shown. */
  readonly about: (data: HearthEvents[Name]) => string | undefined;
  readonly code: "payment" | "upload" | "watcher" | "model";
}

const kinds: { readonly [Name in NoticeKind]: Kind<EventName> } = {
  payments: kind({
    type: "payment.settled",
    page: "/payments",
    about: ({ out_trade_no, amount }) => `${out_trade_no}, ¥${(amount / 100).toFixed(2)}`,
    code: "payment",
  }),
  uploads: kind({
    type: "upload.stored",
    page: "/uploads",
    about: ({ file_name }) => file_name,
    code: "upload",
  }),
  watchers: kind({
    type: "watch.changed",
    page: "/file-events",
    about: ({ state, path, reason }) => (state === "failed" ? [path, reason].filter(Boolean).join(": ") : undefined),
    code: "watcher",
  }),
  models: kind({
    type: "model.pulled",
    page: "/models",
    about: ({ model }) => model,
    code: "model",
  }),
};

function kind<Name extends EventName>(kindOf: Kind<Name>): Kind<EventName> {
  return kindOf as unknown as Kind<EventName>;
}

interface Ports {
  readonly isOn: (kind: NoticeKind) => boolean;
  /** The user is looking at the console, which shows it anyway. */
  readonly isWatched: () => boolean;
  readonly text: ShellText;
  readonly show: (notice: DesktopNotice) => void;
}

/** How long events of a kind are collected for one notification. */
const collectMs = 1_000;

/** Returns the listener of the run's events. */
export function createNotices({ isOn, isWatched, text, show }: Ports) {
  const collected = new Map<NoticeKind, string[]>();

  function showCollected(name: NoticeKind): void {
    const bodies = collected.get(name) ?? [];
    collected.delete(name);
    const { page, code } = kinds[name];
    const [first = ""] = bodies;
    const count = bodies.length;
    show({ title: text(`notice.${code}`), body: count === 1 ? first : text(`notice.${code}s`, { count }), page });
  }

  return ({ type, data }: Pick<CloudEvent, "type" | "data">): void => {
    for (const name of Object.keys(kinds) as NoticeKind[]) {
      const one = kinds[name];
      if (one.type !== type || !isOn(name) || isWatched()) continue;
      const parsed = eventSchemas[one.type].safeParse(data);
      const about = parsed.success ? one.about(parsed.data) : undefined;
      if (about === undefined) continue;
      const waiting = collected.get(name);
      if (waiting) waiting.push(about);
      else {
        collected.set(name, [about]);
        setTimeout(() => showCollected(name), collectMs);
      }
    }
  };
}
