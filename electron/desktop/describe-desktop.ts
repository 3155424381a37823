/** Describes a run that has a problem: its last lines, and a complete text for support. */
import { app } from "electron";
import { arch, cpus, homedir, platform, release, totalmem } from "node:os";
import type { ServiceName } from "../../server/contract/process/services.ts";
import type { Settings } from "../../server/contract/process/settings.ts";
import { createLogPrinter } from "../../server/process/terminal/print-log.ts";
import type { Run } from "../../server/supervisor/run.ts";
import { diagnosticsText } from "./diagnostics.ts";

interface Options {
  readonly settings: Settings;
  readonly run: Run;
  readonly secrets: () => readonly string[];
}

const services: readonly ServiceName[] = ["app", "model", "runner"];
const lastLines = 60;

export function describeDesktop({ settings, run, secrets }: Options) {
  /** A service's log lines, formatted as in the terminal. */
  function readableLines(service: ServiceName): string[] {
    const lines: string[] = [];
    const out = { write: (text: string) => lines.push(text.trimEnd()) };
    const printer = createLogPrinter({ json: false, log_level: "trace" }, out);
    for (const line of run.recentLines(service)) printer.line(service, line);
    return lines;
  }
  return {
    readableLines,
    diagnostics: (): string =>
      diagnosticsText(
        {
          version: app.getVersion(),
          system: {
            system: `${platform()} ${release()} ${arch()}`,
            processor: `${cpus()[0]?.model ?? "unknown"}, ${String(cpus().length)} cores`,
            memory: `${(totalmem() / 2 ** 30).toFixed(1)} GB`,
            electron: process.versions.electron,
            chromium: process.versions.chrome,
            packaged: String(app.isPackaged),
          },
          settings,
          services: run.statuses(),
          lines: Object.fromEntries(services.map((name) => [name, readableLines(name).slice(-lastLines).join("\n")])),
          home: homedir(),
          platform: platform(),
        },
        secrets(),
      ),
  };
}
