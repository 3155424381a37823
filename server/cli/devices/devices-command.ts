/** `hearth devices`: phones on the local network, from a terminal. */
import encodeQR from "qr";
import type { z } from "zod";
import {
  admitLanDevice,
  changeLanAccess,
  getLanAccess,
  lanAccessSchema,
  lanServiceSchema,
  removeLanDevice,
  type LanAccessChange,
  type LanAccessView,
  type LanDevice,
} from "../../contract/console/machine/lan-access-endpoints.ts";
import { SettingsError } from "../../process/settings/read-settings.ts";
import { printLine, printLines } from "../../process/terminal/print-text.ts";
import { consoleAccess } from "../../supervisor/console-access.ts";
import { RunError } from "../../supervisor/run-error.ts";
import { settingsBy, type CommandContext } from "../command.ts";
import { findHearths, onlyOne } from "../find-hearth.ts";
import { consoleOf } from "../open-console.ts";
import type { forgetDeviceInput, letInInput, OpenToDevicesInput, showDevicesInput } from "./devices-inputs.ts";

interface Endpoint {
  readonly method: string;
  readonly path: string;
}
type Ask = (endpoint: Endpoint, id?: string, body?: LanAccessChange) => Promise<unknown>;

/** Calls the run at the console's address. @throws RunError with its refusal, or without an answer */
function askAt(console: string): Ask {
  const { origin, token } = consoleAccess(console);
  return async ({ method, path }, id = "", body) => {
    const request = {
      method,
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    };
    const { ok, status, text } = await fetch(origin + path.replace("{id}", encodeURIComponent(id)), request)
      .then(async (reply) => ({ ok: reply.ok, status: reply.status, text: await reply.text() }))
      .catch((error: Error) => {
        throw new RunError(`Hearth does not respond at ${origin}: ${error.message}`);
      });
    const content: unknown = text === "" ? undefined : JSON.parse(text);
    if (!ok) throw new RunError((content as { Message?: string } | undefined)?.Message ?? String(status));
    return content;
  };
}

function printDevices(title: string, devices: readonly LanDevice[]): void {
  if (devices.length === 0) return;
  printLine(`${title}:`);
  for (const { id, name, address, seen_at } of devices)
    printLine(`  ${[id, address, name, `last seen ${seen_at}`].filter((one) => one !== "").join("  ")}`);
}

function printView(view: LanAccessView): void {
  if (view.opened_by_host) {
    printLine("The setting host opens Hearth to everyone on the network.");
    return;
  }
  if (!view.enabled) {
    printLine("Hearth is closed to devices on the local network. Open it with `hearth devices on`.");
    return;
  }
  const first = view.listeners.find(({ url }) => url !== undefined)?.url;
  if (first !== undefined && process.stdout.isTTY) printLines(encodeQR(`${first}/`, "ascii"));
  for (const { service, url, problem } of view.listeners) printLine(`${service}: ${url ?? problem ?? ""}`);
  if (view.certificate_url !== undefined) printLine(`device certificate: ${view.certificate_url}`);
  if (view.everyone) printLine("Every device on this network is allowed.");
  printDevices(view.everyone ? "on the network" : "waiting", view.waiting);
  printDevices("allowed", view.devices);
}

type Context = Pick<CommandContext, "env" | "cwd">;

/** Calls the running Hearth by `work`, then prints the addresses for devices. @throws RunError */
async function withDevices(
  input: { readonly data_dir?: unknown },
  context: Context,
  work?: (ask: Ask, view: () => Promise<LanAccessView>) => Promise<unknown>,
): Promise<number> {
  const { data_dir } = settingsBy(input, ["data_dir"], context);
  const ask = askAt(consoleOf(onlyOne(await findHearths(data_dir), data_dir)));
  const view = async () => lanAccessSchema.parse(await ask(getLanAccess));
  await work?.(ask, view);
  printView(await view());
  return 0;
}

type ShowInput = z.output<typeof showDevicesInput>;

export const showDevices = (input: ShowInput, context: Context): Promise<number> => withDevices(input, context);

/** @throws SettingsError, RunError */
export async function openToDevices(input: OpenToDevicesInput, context: Context): Promise<number> {
  const services = servicesIn(input.services ?? "app");
  return withDevices(input, context, async (ask, view) => {
    // All values are sent, because missing ones keep their last value.
    const name = input.interface ?? (await view()).interfaces[0]?.name;
    const change = { enabled: true, services, everyone: input.everyone === true };
    await ask(changeLanAccess, undefined, { ...change, ...(name !== undefined && { interface: name }) });
    const { listeners } = await view();
    if (listeners.every(({ url }) => url === undefined))
      throw new RunError([...new Set(listeners.map(({ problem }) => problem))].join(" "));
  });
}

export const closeToDevices = (input: ShowInput, context: Context): Promise<number> =>
  withDevices(input, context, (ask) => ask(changeLanAccess, undefined, { enabled: false }));

export const letIn = (input: z.output<typeof letInInput>, context: Context): Promise<number> =>
  withDevices(input, context, (ask) => ask(admitLanDevice, input.id));

export const forgetDevice = (input: z.output<typeof forgetDeviceInput>, context: Context): Promise<number> =>
  withDevices(input, context, (ask) => ask(removeLanDevice, input.id));

function servicesIn(list: string) {
  const parsed = lanServiceSchema.array().safeParse(list.split(","));
  if (!parsed.success) throw new SettingsError(`--services accepts ${lanServiceSchema.options.join(", ")}`);
  return parsed.data;
}
