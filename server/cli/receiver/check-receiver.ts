/** `hearth check-receiver`: lets the simulator of a running Hearth, or of one started for this, check a receiver. */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { newCheckPerson } from "../../contract/provider/internal-people.ts";
import { ownReceiverCheck } from "../../contract/provider/own-receiver-check.ts";
import { junitReport } from "../../contract/provider/receiver-check-junit.ts";
import type { ReceiverCheck, ReceiverCheckRequest } from "../../contract/provider/receiver-checks.ts";
import { cancelledCode } from "../../process/lifetime/stop-request.ts";
import { printError, printLine, printLines } from "../../process/terminal/print-text.ts";
import { resolveSettings, SettingsError } from "../../process/settings/read-settings.ts";
import { readReadyFile } from "../../supervisor/ready-file.ts";
import type { CommandContext } from "../command.ts";
import { findHearths, onlyOne, stillStarting } from "../find-hearth.ts";
import { followCheck } from "./follow-check.ts";
import { makeRoomFor } from "../output-file.ts";
import { withOwnHearth } from "../own-hearth.ts";
import { createCheckPrinter } from "./print-check.ts";
import { checkArguments, jsonAlone, listRows, type CheckArguments } from "./receiver-arguments.ts";
import type { ReceiverInput } from "./receiver-input.ts";
import { simulatedToken } from "../simulated-token.ts";

/** The addresses of a running Hearth; that of the application server is only for its own receiver. */
interface Addresses {
  readonly provider: string;
  readonly app?: string | undefined;
  /** With the run's token. */
  readonly console?: string | undefined;
}

function addressesIn(file: string): Addresses {
  try {
    return readReadyFile(file);
  } catch (error) {
    throw new SettingsError(`--ready-file: ${file} cannot be read: ${(error as Error).message}`);
  }
}

/**
 * The addresses in the flags, in the environment or in the data directory, in this order; undefined when nothing runs.
 */
async function findAddresses(
  { values }: CheckArguments,
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<Addresses | undefined> {
  if (values.provider_url !== undefined) return { provider: values.provider_url };
  if (values.ready_file !== undefined) return addressesIn(resolve(cwd, values.ready_file));
  // Another API version for Hearth's orders requires a Hearth with that setting.
  if (values.hearth && (values.version !== undefined || values.sign_type !== undefined)) return undefined;
  // The variables of a command of `hearth exec`.
  const [provider, app, console] = [env["HEARTH_PROVIDER_URL"], env["HEARTH_APP_URL"], env["HEARTH_CONSOLE_URL"]];
  if (provider !== undefined && values.data_dir === undefined) return { provider, app, console };
  const folder = values.data_dir;
  const dataDir = folder === undefined ? resolveSettings({}, env, cwd).data_dir : resolve(cwd, folder);
  const found = await findHearths(dataDir, env);
  if (found.length === 0 && folder === undefined) return undefined;
  const one = onlyOne(found, dataDir);
  const { provider: running, app: itsApp } = one.urls ?? {};
  if (running === undefined) throw stillStarting(one.dataDir);
  return { provider: running, app: itsApp };
}

async function ownRequest({ app, provider, console }: Addresses): Promise<ReceiverCheckRequest> {
  if (app === undefined)
    throw new SettingsError(
      "--hearth: the address of the application server is not known: give the run's --ready-file",
    );
  const consoleToken = console === undefined ? null : new URL(console).searchParams.get("token");
  const person = newCheckPerson();
  const sessionToken = await simulatedToken(person, { app, provider });
  return ownReceiverCheck({ app, sessionToken, person, consoleToken: consoleToken ?? undefined });
}

/** @throws SettingsError naming the flag whose file cannot be written */
function write(flag: string, file: string | undefined, text: () => string): void {
  if (file === undefined) return;
  try {
    writeFileSync(file, text());
  } catch (error) {
    throw new SettingsError(`${flag}: ${file} cannot be written: ${(error as Error).message}`);
  }
}

function writeReports({ junit, json }: CheckArguments, report: ReceiverCheck): void {
  write("--junit", junit, () => junitReport(report));
  write("--json", json, () => `${JSON.stringify(report, undefined, 2)}\n`);
}

const exitCode = ({ state, counts }: ReceiverCheck) =>
  state === "done" && counts.fail === 0 && counts.pass > 0 ? 0 : 1;

async function check(args: CheckArguments, addresses: Addresses, signal: AbortSignal): Promise<number> {
  try {
    const request = args.request ?? { ...(await ownRequest(addresses)), ...args.limits };
    const printsJson = args.values.json === jsonAlone;
    const onEvent = printsJson ? () => undefined : createCheckPrinter(process.stdout, process.env);
    const report = await followCheck({ provider: addresses.provider, request, onEvent, signal });
    writeReports(args, report);
    if (printsJson) printLine(JSON.stringify(report));
    if (report.problem !== undefined) printError(report.problem);
    return exitCode(report);
  } catch (error) {
    if (signal.aborted) return cancelledCode;
    throw error;
  }
}

/** The settings of a Hearth that is started for the check. */
const ownSettings = ({ values }: CheckArguments) => ({
  ...(values.provider_port !== undefined && { provider_port: values.provider_port }),
  ...(values.hearth && values.version !== undefined && { payment_version: values.version }),
  ...(values.hearth && values.sign_type !== undefined && { payment_sign_type: values.sign_type }),
});

export async function checkReceiver(input: ReceiverInput, { env, cwd, host }: CommandContext): Promise<number> {
  const args = checkArguments(input, cwd);
  if (args.values.list) {
    printLines(listRows());
    return 0;
  }
  for (const flag of ["junit", "json"] as const) if (args[flag] !== undefined) makeRoomFor(args[flag], `--${flag}`);
  const cancelled = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => cancelled.abort());
  const addresses = await findAddresses(args, env, cwd);
  const code = addresses
    ? await check(args, addresses, cancelled.signal)
    : await withOwnHearth(host, ownSettings(args), (own) => check(args, own, cancelled.signal));
  return cancelled.signal.aborted ? cancelledCode : code;
}
