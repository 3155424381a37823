/** `hearth check-integration`: tries a merchant's whole backend by its description. */
import { resolve } from "node:path";
import { HearthApi } from "../../actions/hearth-api.ts";
import { sayRow } from "../../contract/provider/checks/check-report-words.ts";
import { receiverCheckRow, rowText } from "../../contract/provider/checks/receiver-check-rows.ts";
import { changeSimPlatformKey, changeSimSettings } from "../../contract/provider/sim-platform.ts";
import { cancelledCode } from "../../process/lifetime/stop-request.ts";
import { printLines } from "../../process/terminal/print-text.ts";
import { SettingsError } from "../../process/settings/read-settings.ts";
import { consoleAccess } from "../../supervisor/console-access.ts";
import type { ReadyFileContent } from "../../supervisor/ready-file.ts";
import { RunError } from "../../supervisor/run-error.ts";
import type { CommandContext } from "../command.ts";
import { environmentOf } from "../exec/exec-environment.ts";
import { withOwnHearth } from "../own-hearth.ts";
import { findCheckingHearth } from "../receiver/find-checking-hearth.ts";
import { makeRoomForReports, reportCheck, reportFiles } from "../receiver/report-check.ts";
import { simulatedToken } from "../simulated-token.ts";
import { readDescription, type Backend } from "./description.ts";
import type { IntegrationInput } from "./integration-input.ts";
import { startBackend } from "./start-backend.ts";

const defaultFile = "hearth.integration.yaml";

function listRows({ language }: IntegrationInput): string {
  const say = sayRow(language);
  const width = Math.max(...receiverCheckRow.options.map((row) => row.length));
  return receiverCheckRow.options.map((row) => `${row.padEnd(width)}  ${say(rowText(row).sent)}\n`).join("");
}

function rowsOf({ only }: IntegrationInput) {
  if (only === undefined) return {};
  const rows = receiverCheckRow.array().safeParse(only);
  if (!rows.success) throw new SettingsError("--only: unknown row; --list prints the rows");
  return { only: rows.data };
}

/** What a Hearth has to be like for all rows: the day's bill is ready, and both keys sign. */
async function prepare({ app, provider, console }: ReadyFileContent): Promise<void> {
  const hearth = new HearthApi(async () => ({ app, provider, consoleToken: consoleAccess(console).token }));
  await hearth.call(changeSimSettings, { body: { bills_at_once: true } });
  await hearth.call(changeSimPlatformKey, { body: { mode: "switching", public_key_share: 0.1 } });
}

export async function checkIntegration(input: IntegrationInput, { env, cwd, host }: CommandContext): Promise<number> {
  if (input.list === true) {
    printLines(listRows(input));
    return 0;
  }
  const reports = reportFiles(input, cwd);
  makeRoomForReports(reports);
  const backend: Backend = readDescription(resolve(cwd, input.file ?? defaultFile), env);
  const request = { ...backend.request, ...rowsOf(input) };
  const { language } = input;
  const check = (provider: string, signal: AbortSignal) =>
    reportCheck({ provider, request, signal, title: () => `Integration check of ${backend.url}`, language }, reports);
  const cancelled = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => cancelled.abort());
  const { command } = input;
  if (command.length === 0) {
    const running = await findCheckingHearth(input, env, cwd);
    if (running) return check(running.provider, cancelled.signal);
    throw new RunError(
      "no Hearth runs. Start it and your backend, or let the check start both: hearth check-integration -- COMMAND",
    );
  }
  for (const run of ["provider_url", "ready_file", "data_dir"] as const)
    if (input[run] !== undefined)
      throw new SettingsError(
        `--${run.replace("_", "-")} cannot be combined with a command: it gets a Hearth of its own`,
      );
  const code = await withOwnHearth(host, {}, async (own, over) => {
    const signal = AbortSignal.any([cancelled.signal, over]);
    await prepare(own);
    const token = await simulatedToken("test", own);
    const started = await startBackend({ url: backend.url, command }, environmentOf(own, token), signal);
    try {
      return await check(own.provider, signal);
    } finally {
      await started.stop();
    }
  });
  return cancelled.signal.aborted ? cancelledCode : code;
}
