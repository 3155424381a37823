/** Writes a moment as Python's `strftime` does in the C locale. */

const dayMs = 86_400_000;

const dayOfYear = (date: Date) =>
  Math.round(
    (Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) - Date.UTC(date.getFullYear(), 0, 1)) / dayMs,
  );

/** The week of the year, whose first begins with the first `firstDay` (0: Sunday). */
const weekOf = (date: Date, firstDay: number) =>
  Math.floor((dayOfYear(date) + 7 - ((date.getDay() - firstDay + 7) % 7)) / 7);

/** The year and week of ISO 8601: that of the week's Thursday. */
function isoWeek(date: Date) {
  const thursday = new Date(date.getFullYear(), date.getMonth(), date.getDate() + 3 - ((date.getDay() + 6) % 7));
  return { year: thursday.getFullYear(), week: 1 + Math.floor(dayOfYear(thursday) / 7) };
}

/** The number that a directive writes, and how many digits it has. */
const numbers: Readonly<Record<string, (date: Date) => readonly [number: number, digits: number]>> = {
  C: (date) => [Math.floor(date.getFullYear() / 100), 2],
  d: (date) => [date.getDate(), 2],
  G: (date) => [isoWeek(date).year, 1],
  H: (date) => [date.getHours(), 2],
  I: (date) => [date.getHours() % 12 || 12, 2],
  j: (date) => [dayOfYear(date) + 1, 3],
  m: (date) => [date.getMonth() + 1, 2],
  M: (date) => [date.getMinutes(), 2],
  S: (date) => [date.getSeconds(), 2],
  s: (date) => [Math.floor(date.getTime() / 1000), 1],
  u: (date) => [date.getDay() || 7, 1],
  U: (date) => [weekOf(date, 0), 2],
  V: (date) => [isoWeek(date).week, 2],
  w: (date) => [date.getDay(), 1],
  W: (date) => [weekOf(date, 1), 2],
  y: (date) => [date.getFullYear() % 100, 2],
  Y: (date) => [date.getFullYear(), 1],
};

const dayName = (date: Date) => date.toLocaleDateString("en-US", { weekday: "long" });
const monthName = (date: Date) => date.toLocaleDateString("en-US", { month: "long" });

/** Written with blanks in place of zeros. */
const blankNumbers: Readonly<Record<string, string>> = { e: "d", k: "H", l: "I" };

const texts: Readonly<Record<string, (date: Date) => string>> = {
  a: (date) => dayName(date).slice(0, 3),
  A: dayName,
  b: (date) => monthName(date).slice(0, 3),
  B: monthName,
  f: (date) => `${String(date.getMilliseconds()).padStart(3, "0")}000`,
  h: (date) => monthName(date).slice(0, 3),
  n: () => "\n",
  p: (date) => (date.getHours() < 12 ? "AM" : "PM"),
  P: (date) => (date.getHours() < 12 ? "am" : "pm"),
  t: () => "\t",
  z: () => "",
  Z: () => "",
  "%": () => "%",
};

/** Directives that are short for several others. */
const composed: Readonly<Record<string, string>> = {
  c: "%a %b %e %H:%M:%S %Y",
  D: "%m/%d/%y",
  F: "%Y-%m-%d",
  r: "%I:%M:%S %p",
  R: "%H:%M",
  T: "%H:%M:%S",
  x: "%m/%d/%y",
  X: "%H:%M:%S",
};

function padded(date: Date, name: string, flag: string): string {
  const [number, digits] = numbers[name]?.(date) ?? [0, 0];
  return flag === "-" ? String(number) : String(number).padStart(digits, flag === "_" ? " " : "0");
}

/** Unknown directives stay as they are. */
export const strftime = (date: Date, format: string): string =>
  format.replace(/%([-_0^#]?)([a-zA-Z%])/g, (all, flag: string, name: string) => {
    const directive = composed[name];
    const blank = blankNumbers[name];
    const text =
      directive !== undefined
        ? strftime(date, directive)
        : blank !== undefined
          ? padded(date, blank, flag === "" ? "_" : flag)
          : name in numbers
            ? padded(date, name, flag)
            : (texts[name]?.(date) ?? all);
    return flag === "^" ? text.toUpperCase() : text;
  });
