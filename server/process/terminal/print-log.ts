/** Prints the log lines of all processes of a run on one stream: formatted for people, or as JSON lines. */
import { hideKeys } from "../../contract/process/access-keys.ts";
import type { ServiceStatus } from "../../contract/process/services.ts";
import type { Settings } from "../../contract/process/settings.ts";
import { printable } from "./print-text.ts";

export interface LogPrinter {
  /** A line that a process printed: JSON from createLog, or plain text from a native library or a crash. */
  line: (service: string, line: string) => void;
  /** A message of the printing process itself. */
  say: (level: Level, service: string, message: string, fields?: Record<string, unknown>) => void;
}

const levels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
type Level = Exclude<Settings["log_level"], "silent">;

const colours: Record<string, number> = { trace: 90, debug: 90, info: 32, warn: 33, error: 31, fatal: 31 };
/** Fields that the line's columns already show, or that do not help a reader. */
const hidden = new Set(["level", "time", "service", "msg", "err"]);

function parseLine(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    const parsed: unknown = JSON.parse(line);
    return typeof parsed === "object" && parsed !== null && "msg" in parsed ? { ...parsed } : undefined;
  } catch {
    return undefined;
  }
}

const asText = (value: unknown) => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
const text = (value: unknown) => printable(asText(value));

/** Prints a stack below its line and indented, so that no part of it looks like a log line. */
const indented = (stack: string) =>
  stack
    .split("\n")
    .map((line) => `\n  ${printable(line)}`)
    .join("");

function formatForPeople(entry: Record<string, unknown>, colour: boolean): string {
  const level = text(entry["level"] ?? "info");
  const paint = (code: number, what: string) => (colour ? `\u001b[${code}m${what}\u001b[0m` : what);
  const clock = new Date(text(entry["time"])).toTimeString().slice(0, 8);
  const fields = Object.entries(entry)
    .filter(([name, value]) => !hidden.has(name) && value !== undefined)
    .map(([name, value]) => ` ${printable(name)}=${text(value)}`)
    .join("");
  const error = entry["err"] as { stack?: unknown; message?: unknown } | null | undefined;
  const stack = error ? indented(asText(error.stack ?? error.message ?? error)) : "";
  const head = `${paint(90, clock)} ${paint(colours[level] ?? 0, level.padEnd(5))} ${text(entry["service"]).padEnd(8)}`;
  return `${head} ${text(entry["msg"])}${paint(90, fields)}${stack}`;
}

export function createLogPrinter(
  settings: Pick<Settings, "json" | "log_level">,
  out: { write(text: string): unknown; isTTY?: boolean },
): LogPrinter {
  const least = levels.indexOf(settings.log_level);
  const print = (entry: Record<string, unknown>) => {
    if (levels.indexOf(entry["level"] as Level) < least) return;
    const line = settings.json ? printable(JSON.stringify(entry)) : formatForPeople(entry, out.isTTY === true);
    out.write(`${hideKeys(line)}\n`);
  };
  return {
    line(service, line) {
      print(parseLine(line) ?? { level: "info", time: new Date().toISOString(), service, msg: line });
    },
    say(level, service, message, fields) {
      print({ level, time: new Date().toISOString(), service, ...fields, msg: message });
    },
  };
}

/**
 * Reports a service's change of state, as a warning if it needs attention. If the application server is down, the run
 * ends and reports that itself.
 */
export function statusReporter(printer: LogPrinter) {
  return ({ name, state, reason, restarts }: ServiceStatus): void => {
    const needsAttention = (state === "down" && name !== "app") || (state === "restarting" && reason !== undefined);
    const level = needsAttention ? "warn" : "debug";
    printer.say(level, "hearth", `${name} is ${state}`, { reason, restarts });
  };
}
