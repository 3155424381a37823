/** `hearth devices`: phones on the local network, from a terminal. */
import encodeQR from "qr";
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
import { parseFlags, resolveSettings, SettingsError } from "../../process/settings/read-settings.ts";
import { printLine, printLines } from "../../process/terminal/print-text.ts";
import { consoleAccess } from "../../supervisor/console-access.ts";
import { RunError } from "../../supervisor/run-error.ts";
import { findHearths, onlyOne } from "../find-hearth.ts";
import { consoleOf } from "../open-console.ts";
import { refuseUnused } from "../unused-flags.ts";

export const devicesHelp = `Usage: hearth devices                     show whether devices on the local network reach Hearth, at which addresses, and who
                                          waits
       hearth devices on [--interface NAME] [--services LIST] [--everyone]
                                          let them call; each waits until it is let in
       hearth devices off                 let nobody call
       hearth devices let-in ID           let a device in that waits
       hearth devices remove ID           forget a device, and end what it has under way

  --interface NAME  the network interface; default the likeliest one
  --services LIST   what they reach: app, provider, model, separated by commas; default app
  --everyone        let everybody in who is on this network, until this machine leaves it
  --data-dir DIR    as for hearth serve
`;

const actions = ["show", "on", "off", "let-in", "remove"];

interface Endpoint {
  readonly method: string;
  readonly path: string;
}
type Ask = (endpoint: Endpoint, id?: string, body?: LanAccessChange) => Promise<unknown>;

/** Asks the run behind the console's address. @throws RunError with its words, or without an answer */
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
        throw new RunError(`Hearth does not answer at ${origin}: ${error.message}`);
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
    printLine("The setting host has opened Hearth to the network for everybody.");
    return;
  }
  if (!view.enabled) {
    printLine("Devices on the local network do not reach Hearth; `hearth devices on` lets them call.");
    return;
  }
  const first = view.listeners.find(({ url }) => url !== undefined)?.url;
  if (first !== undefined && process.stdout.isTTY) printLines(encodeQR(`${first}/`, "ascii"));
  for (const { service, url, problem } of view.listeners) printLine(`${service}: ${url ?? problem ?? ""}`);
  if (view.certificate_url !== undefined) printLine(`certificate for the devices: ${view.certificate_url}`);
  if (view.everyone) printLine("Everyone on this network is let in.");
  printDevices(view.everyone ? "on the network" : "waiting", view.waiting);
  printDevices("let in", view.devices);
}

/** @throws SettingsError, RunError */
export async function devicesCommand(argv: readonly string[], env: NodeJS.ProcessEnv, cwd: string): Promise<number> {
  const { own, values, positionals } = parseFlags(argv, {
    own: {
      interface: { type: "string" },
      services: { type: "string" },
      everyone: { type: "boolean" },
    },
    settings: ["data_dir"],
    most: 2,
  });
  const [action = "show", id] = positionals;
  if (!actions.includes(action)) throw new SettingsError(`unknown action ${action}; --help lists them`);
  refuseUnused(own, { on: ["interface", "services", "everyone"] }, action);
  const takesId = action === "let-in" || action === "remove";
  if (takesId !== (id !== undefined))
    throw new SettingsError(takesId ? `${action} needs the id of a device` : `unexpected argument ${id ?? ""}`);
  const services = servicesIn(own.services ?? "app");
  const { data_dir } = resolveSettings(values, env, cwd);
  const ask = askAt(consoleOf(onlyOne(await findHearths(data_dir), data_dir)));
  const view = async () => lanAccessSchema.parse(await ask(getLanAccess));
  if (action === "on") {
    // All of it, since what is left out stays as it was the last time.
    const name = own.interface ?? (await view()).interfaces[0]?.name;
    const change = { enabled: true, services, everyone: own.everyone === true };
    await ask(changeLanAccess, undefined, { ...change, ...(name !== undefined && { interface: name }) });
    const { listeners } = await view();
    if (listeners.every(({ url }) => url === undefined))
      throw new RunError([...new Set(listeners.map(({ problem }) => problem))].join(" "));
  } else if (action === "off") await ask(changeLanAccess, undefined, { enabled: false });
  else if (takesId) await ask(action === "let-in" ? admitLanDevice : removeLanDevice, id);
  printView(await view());
  return 0;
}

function servicesIn(list: string) {
  const parsed = lanServiceSchema.array().safeParse(list.split(","));
  if (!parsed.success) throw new SettingsError(`--services takes ${lanServiceSchema.options.join(", ")}`);
  return parsed.data;
}
