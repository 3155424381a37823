/** Numbers, sizes and times as the reader's language writes them. */
export interface Formats {
  number(value: number, digits?: number): string;
  /** A size in bytes: "12.3 MB". Decimal units, as file managers show them. */
  bytes(count: number): string;
  /** An amount of time in milliseconds: "31ms", "2.45s", "2.4m", "1.5h", "2d". */
  duration(ms: number): string;
  /** An amount of money in fen: "¥12.50". */
  money(fen: number): string;
  /** How often, per second: "12.5/s". */
  rate(perSecond: number): string;
  /** The time between `iso` and `now`: "5 minutes ago"; "now" within the first minute. */
  relative(iso: string, now: number): string;
  /** A time of the day, to the second, from milliseconds since 1970: "14:05:12". */
  clock(at: number): string;
  /** A time of the day, to the millisecond, from milliseconds since 1970: "14:05:12.345". */
  instant(at: number): string;
  /** A day and a time to the second, from milliseconds since 1970: "Nov 20, 14:05:12". */
  moment(at: number): string;
  /** Begin and end of a time: "Nov 20, 14:05:12 – 14:10:12", and the end's day where it is another. */
  span(from: number, to: number): string;
  /** A row's time: "14:05:12.345" if it is of today, else "Nov 20, 14:05". */
  rowTime(iso: string, now: number): string;
  /** Date and time to the millisecond. */
  exact(iso: string): string;
}

const sizes = ["B", "kB", "MB", "GB", "TB"];
const spans = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

export function createFormats(tag: string): Formats {
  // To make one costs many times what its use does: the first use makes it, and a table of requests uses two for each row.
  const made = new Map<string, Intl.NumberFormat>();
  const numbers = (key: string, options: Intl.NumberFormatOptions): Intl.NumberFormat => {
    const format = made.get(key) ?? new Intl.NumberFormat(tag, options);
    made.set(key, format);
    return format;
  };
  const number = (value: number, digits = 0) =>
    numbers(String(digits), { maximumFractionDigits: digits, minimumFractionDigits: digits }).format(value);
  const unit = (value: number, name: string, digits: number) =>
    numbers(name + String(digits), {
      style: "unit",
      unit: name,
      unitDisplay: "narrow",
      maximumFractionDigits: digits,
    }).format(value);
  const money = { style: "currency", currency: "CNY", currencyDisplay: "narrowSymbol" } as const;
  const relative = once(() => new Intl.RelativeTimeFormat(tag, { numeric: "auto", style: "narrow" }));
  const time = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" } as const;
  const day = { month: "short", day: "numeric" } as const;
  const exact = once(
    () => new Intl.DateTimeFormat(tag, { year: "numeric", ...day, ...time, fractionalSecondDigits: 3 }),
  );
  const moment = once(() => new Intl.DateTimeFormat(tag, { ...day, ...time }));
  const instant = once(() => new Intl.DateTimeFormat(tag, { ...time, fractionalSecondDigits: 3 }));
  const clock = once(() => new Intl.DateTimeFormat(tag, time));
  const minute = once(
    () => new Intl.DateTimeFormat(tag, { ...day, hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
  );

  const momentOf = (at: number) => moment().format(new Date(at));
  const clockOf = (at: number) => clock().format(new Date(at));
  const dayOf = (at: number) => new Date(at).toDateString();

  return {
    number,
    bytes(count) {
      const step = Math.min(sizes.length - 1, count < 1000 ? 0 : Math.floor(Math.log10(count) / 3));
      const value = count / 1000 ** step;
      return `${number(value, step === 0 || value >= 100 ? 0 : 1)}\u00a0${sizes[step] ?? ""}`;
    },
    duration(ms) {
      if (ms < 1_000) return unit(ms, "millisecond", ms < 10 ? 1 : 0);
      for (const [name, each] of spans) if (ms >= each) return unit(ms / each, name, 1);
      return unit(ms / 1000, "second", ms < 10_000 ? 2 : 1);
    },
    money: (fen) => numbers("money", money).format(fen / 100),
    rate: (perSecond) => `${number(perSecond, perSecond < 100 ? 1 : 0)}/s`,
    relative(iso, now) {
      const ago = now - Date.parse(iso);
      for (const [name, ms] of spans) if (ago >= ms) return relative().format(-Math.floor(ago / ms), name);
      // Seconds would have the page drawn anew each second, and a clock that differs by a moment would announce the future.
      return relative().format(0, "second");
    },
    clock: clockOf,
    instant: (at) => instant().format(new Date(at)),
    moment: momentOf,
    span: (from, to) => `${momentOf(from)} – ${dayOf(from) === dayOf(to) ? clockOf(to) : momentOf(to)}`,
    rowTime(iso, now) {
      const at = Date.parse(iso);
      return (dayOf(at) === dayOf(now) ? instant() : minute()).format(new Date(at));
    },
    exact: (iso) => exact().format(new Date(iso)),
  };
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
