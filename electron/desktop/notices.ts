/** Which events the system's notifications tell of, and how: many at once are one notification. */
import type { ConsolePage } from "../../server/contract/console/console-pages.ts";
import type { NoticeKind } from "../../server/contract/console/machine/desktop.ts";
import {
  eventSchemas,
  type CloudEvent,
  type EventName,
  type HearthEvents,
} from "../../server/contract/console/traffic/events.ts";
import type { ShellTexts } from "../menus/shell-texts.ts";

export interface DesktopNotice {
  readonly title: string;
  readonly body: string;
  /** Where the console shows more. */
  readonly page: ConsolePage;
}

interface Kind<Name extends EventName> {
  readonly type: Name;
  readonly page: ConsolePage;
  /** Undefined for an event that nobody needs to know of. */
  readonly about: (data: HearthEvents[Name]) => string | undefined;
  readonly title: (texts: ShellTexts) => string;
  readonly many: (texts: ShellTexts) => (count: number) => string;
}

const kinds: { readonly [Name in NoticeKind]: Kind<EventName> } = {
  payments: kind({
    type: "payment.settled",
    page: "/payments",
    about: ({ out_trade_no, amount }) => `${out_trade_no}, ¥${(amount / 100).toFixed(2)}`,
    title: ({ paid }) => paid,
    many: ({ manyPaid }) => manyPaid,
  }),
  uploads: kind({
    type: "upload.stored",
    page: "/uploads",
    about: ({ file_name }) => file_name,
    title: ({ uploaded }) => uploaded,
    many: ({ manyUploaded }) => manyUploaded,
  }),
  watchers: kind({
    type: "watch.changed",
    page: "/file-events",
    about: ({ state, path, reason }) => (state === "failed" ? [path, reason].filter(Boolean).join(": ") : undefined),
    title: ({ watchFailed }) => watchFailed,
    many: ({ manyWatchesFailed }) => manyWatchesFailed,
  }),
  models: kind({
    type: "model.pulled",
    page: "/models",
    about: ({ model }) => model,
    title: ({ pulled }) => pulled,
    many: ({ manyPulled }) => manyPulled,
  }),
};

function kind<Name extends EventName>(one: Kind<Name>): Kind<EventName> {
  return one as unknown as Kind<EventName>;
}

interface Ports {
  readonly isOn: (kind: NoticeKind) => boolean;
  /** The user is looking at the console, which shows it anyway. */
  readonly isWatched: () => boolean;
  readonly texts: () => ShellTexts;
  readonly show: (notice: DesktopNotice) => void;
}

/** How long events of a kind are collected for one notification. */
const collectMs = 1_000;

/** Takes what has happened in the run. */
export function createNotices({ isOn, isWatched, texts, show }: Ports) {
  const collected = new Map<NoticeKind, string[]>();

  function tell(name: NoticeKind): void {
    const bodies = collected.get(name) ?? [];
    collected.delete(name);
    const { page, title, many } = kinds[name];
    const [only = ""] = bodies;
    show({ title: title(texts()), body: bodies.length === 1 ? only : many(texts())(bodies.length), page });
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
        setTimeout(() => tell(name), collectMs);
      }
    }
  };
}
