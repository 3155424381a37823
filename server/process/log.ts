/** The log of a process: one JSON object per line on stdout. The supervisor collects the lines and prints them. */
import { destination, pino, type Logger } from "pino";
import { hideKeys } from "../contract/process/access-keys.ts";
import { currentSpan, traceFields } from "../trace/span.ts";
import type { Settings } from "../contract/process/settings.ts";

export type Log = Logger;

/** Fields that would contain a secret if a whole request or body were logged. */
const secretPaths = [
  "authorization",
  "cookie",
  "access_token",
  "session_key",
  "openid",
  "unionid",
  "phone",
  "password",
].flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

/** `out`: receives the lines, each with its line end; by default stdout, where the supervisor reads them. */
export function createLog(
  service: string,
  settings: Pick<Settings, "log_level">,
  out: { write(line: string): void } = destination(1),
): Log {
  const options = {
    level: settings.log_level,
    base: { service },
    mixin() {
      const span = currentSpan();
      return span ? traceFields(span) : {};
    },
    redact: { paths: secretPaths, censor: "[secret]" },
    hooks: { streamWrite: (line: string) => hideKeys(line) },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return pino(options, out);
}
