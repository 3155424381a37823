import { app } from "electron";
import { join } from "node:path";
import type { ServiceName, ServiceStatus } from "../../server/contract/process/services.ts";
import type { Settings } from "../../server/contract/process/settings.ts";
import { createLogPrinter, statusReporter } from "../../server/process/terminal/print-log.ts";
import { printError } from "../../server/process/terminal/print-text.ts";
import { openLogFile } from "./log-file.ts";

/** The log of a run, on stdout and in a file. */
export class DesktopLog {
  readonly folder = app.getPath("logs");
  readonly file = openLogFile(join(this.folder, "hearth.log"));
  readonly #stdout;
  readonly #printers;
  readonly #reporters;

  constructor({ json, log_level }: Settings) {
    this.#stdout = createLogPrinter({ json, log_level }, process.stdout);
    this.#printers = [this.#stdout, createLogPrinter({ json: false, log_level }, this.file)];
    this.#reporters = this.#printers.map(statusReporter);
  }

  line(service: ServiceName, line: string): void {
    for (const printer of this.#printers) printer.line(service, line);
  }

  status(status: ServiceStatus): void {
    for (const report of this.#reporters) report(status);
  }

  warn(message: string): void {
    for (const printer of this.#printers) printer.say("warn", "hearth", message);
  }

  /** Writes an error that ends the run, also where nobody reads the log. */
  fatal(reason: string): void {
    printError(reason);
    this.#printers[1]?.say("error", "hearth", reason);
  }

  ready(console: string): void {
    this.#stdout.say("info", "hearth", "ready", { console });
  }
}
