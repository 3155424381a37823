/** A reporter of Vitest: writes errors that belong to no test into a file, since its JSON report leaves them out. */
import { writeFileSync } from "node:fs";
import type { Reporter } from "vitest/node";

/** The environment variable with the file's path. */
export const unhandledErrorsFile = "HEARTH_UNHANDLED_ERRORS_FILE";

export default class UnhandledErrors implements Reporter {
  onTestRunEnd(_modules: unknown, errors: Parameters<NonNullable<Reporter["onTestRunEnd"]>>[1]): void {
    const file = process.env[unhandledErrorsFile];
    if (file) writeFileSync(file, JSON.stringify(errors.map(({ stack, message }) => stack ?? message)));
  }
}
