/** The provider simulator alone, for testing a backend without Hearth's application server. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { PortInUseError } from "../http/connection/listen.ts";
import { createAdjustableClock } from "../time/adjustable-clock.ts";
import { createLog } from "../process/log.ts";
import { parseSettings } from "../process/command-line/parse-input.ts";
import { createDrain } from "../process/lifetime/drain.ts";
import { connectParent, stopWithParent } from "../process/lifetime/parent-link.ts";
import { printLine } from "../process/terminal/print-text.ts";
import { resolveRun, SettingsError } from "../process/settings/read-settings.ts";
import { openProvider } from "./open-provider.ts";

try {
  process.umask(0o077); // its database holds keys
  const settings = resolveRun(parseSettings(process.argv.slice(2)));
  const log = createLog("provider", settings);
  const consoleToken = process.env["HEARTH_CONSOLE_TOKEN"] ?? randomBytes(32).toString("base64url");
  const apiDocs = {
    folder: join(import.meta.dirname, "../../dist/api-docs"),
    configuration: "Release" as const,
    version: packageJson.version,
  };
  const drain = createDrain(settings);
  const clock = createAdjustableClock();
  const provider = await openProvider({
    settings,
    consoleToken,
    apiDocs,
    log,
    clock,
    isDraining: drain.hasBegun,
    publish: ({ type, data }) => log.warn(data, type),
  });
  stopWithParent(connectParent(), () => provider.close(drain.graceMs), drain);
  log.info({ provider: provider.url }, "listening");
} catch (error) {
  const advice = error instanceof PortInUseError ? ": choose another port with --provider-port" : "";
  printLine(`provider: ${(error as Error).message}${advice}`, process.stderr);
  process.exitCode = error instanceof SettingsError ? 2 : 1;
}
