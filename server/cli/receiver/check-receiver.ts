/** `hearth check-receiver`: lets the simulator of a running Hearth, or of one started for this, check a receiver. */
import { newCheckPerson } from "../../contract/provider/internal-people.ts";
import { ownReceiverCheck } from "../../contract/provider/checks/own-receiver-check.ts";
import type { ReceiverCheck, ReceiverCheckRequest } from "../../contract/provider/checks/receiver-checks.ts";
import { cancelledCode } from "../../process/lifetime/stop-request.ts";
import { printLines } from "../../process/terminal/print-text.ts";
import { SettingsError } from "../../process/settings/read-settings.ts";
import type { CommandContext } from "../command.ts";
import { findCheckingHearth, type Addresses } from "./find-checking-hearth.ts";
import { withOwnHearth } from "../own-hearth.ts";
import { makeRoomForReports, reportCheck } from "./report-check.ts";
import { checkArguments, listRows, type CheckArguments } from "./receiver-arguments.ts";
import type { ReceiverInput } from "./receiver-input.ts";
import { simulatedToken } from "../simulated-token.ts";

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

const title = ({ notify_url: url = "the orders' own addresses" }: ReceiverCheck) => `Receiver check of ${url}`;

async function check(args: CheckArguments, addresses: Addresses, signal: AbortSignal): Promise<number> {
  const request = args.request ?? { ...(await ownRequest(addresses)), ...args.limits };
  return reportCheck({ provider: addresses.provider, request, signal, title }, args);
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
  makeRoomForReports(args);
  const cancelled = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => cancelled.abort());
  // Another API version for Hearth's orders requires a Hearth with that setting.
  const needsOwn = input.hearth === true && (input.version !== undefined || input.sign_type !== undefined);
  const addresses = needsOwn ? undefined : await findCheckingHearth(args.values, env, cwd);
  const code = addresses
    ? await check(args, addresses, cancelled.signal)
    : await withOwnHearth(host, ownSettings(args), (own) => check(args, own, cancelled.signal));
  return cancelled.signal.aborted ? cancelledCode : code;
}
