/** Parses a line of a process's output. */
export interface LogLine {
  /** ISO 8601; undefined for a line outside of the log's format, for example from a native library. */
  readonly time: string | undefined;
  readonly level: string | undefined;
  readonly message: string;
  /** The other members, without those that the dialog shows elsewhere. */
  readonly fields: readonly { readonly name: string; readonly value: string }[];
  /** The stack of an error. */
  readonly stack: string | undefined;
}

const visibleElsewhere = new Set(["time", "level", "service", "msg", "err"]);
const textOf = (value: unknown) => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

export function parseLogLine(line: string): LogLine {
  const entry = entryOf(line);
  if (entry === undefined) return { time: undefined, level: undefined, message: line, fields: [], stack: undefined };
  const error = entry["err"] as { stack?: unknown; message?: unknown } | undefined;
  const stack = error?.stack ?? error?.message ?? error;
  return {
    time: textOf(entry["time"]),
    level: textOf(entry["level"]),
    message: textOf(entry["msg"]),
    fields: Object.entries(entry).flatMap(([name, value]) =>
      visibleElsewhere.has(name) ? [] : [{ name, value: textOf(value) }],
    ),
    stack: stack === undefined ? undefined : textOf(stack),
  };
}

function entryOf(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    const entry = JSON.parse(line) as Record<string, unknown>;
    return "msg" in entry && "time" in entry && "level" in entry ? entry : undefined;
  } catch {
    return undefined;
  }
}
