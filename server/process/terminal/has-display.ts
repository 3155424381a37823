/** Whether a window can open: Linux needs a display server, the other systems always have one. */
import { connect, type NetConnectOpts } from "node:net";
import { resolve } from "node:path";
import type { Settings } from "../../contract/process/settings.ts";
import { printError } from "./print-text.ts";

/** Whether the environment names a display, which may not answer. */
export const hasDisplay = (env: NodeJS.ProcessEnv = process.env, platform = process.platform) =>
  platform !== "linux" || Boolean(env["DISPLAY"]) || Boolean(env["WAYLAND_DISPLAY"]);

/** The possible addresses of an X server by its name; undefined for a name in another form. */
function x11Addresses(name: string): NetConnectOpts[] | undefined {
  const [, host = "", digits] = /^([\w.-]*):(\d{1,4})(?:[.]\d+)?$/.exec(name) ?? [];
  if (digits === undefined) return undefined;
  const port = 6_000 + Number(digits);
  if (host !== "" && host !== "unix") return [{ host, port }];
  const path = `/tmp/.X11-unix/X${digits}`;
  return [{ path: `\0${path}` }, { path }, { host: "localhost", port }];
}

/** Empty without the folder for sockets. */
const waylandAddresses = (name: string, folder = ""): NetConnectOpts[] =>
  folder === "" && !name.startsWith("/") ? [] : [{ path: resolve(folder, name) }];

const answerWithinMs = 3_000;

async function answers(address: NetConnectOpts): Promise<boolean> {
  const { promise, resolve: settle } = Promise.withResolvers<boolean>();
  const socket = connect({ ...address, timeout: answerWithinMs }, () => settle(true));
  for (const event of ["error", "timeout"]) socket.on(event, () => settle(false));
  return promise.finally(() => socket.destroy());
}

/** The names of the displays if none of them answers, for example after a session has ended; undefined otherwise. */
export async function deadDisplay(
  env: NodeJS.ProcessEnv = process.env,
  platform = process.platform,
): Promise<string | undefined> {
  if (platform !== "linux" || !hasDisplay(env)) return undefined;
  const { DISPLAY: x11 = "", WAYLAND_DISPLAY: wayland = "" } = env;
  const addresses = x11 === "" ? [] : x11Addresses(x11);
  if (addresses === undefined) return undefined;
  if (wayland !== "") addresses.push(...waylandAddresses(wayland, env["XDG_RUNTIME_DIR"]));
  const answered = await Promise.all(addresses.map(answers));
  return answered.includes(true) ? undefined : [x11, wayland].filter(Boolean).join(" and ");
}

/** Whether a start opens the window. A display that does not answer is reported, and removed from the environment. */
export async function opensWindow({ headless, open }: Settings, env = process.env): Promise<boolean> {
  if (headless || open === false || !hasDisplay(env)) return false;
  const dead = await deadDisplay(env);
  if (dead === undefined) return true;
  printError(`the window cannot open: the display ${dead} does not respond`);
  delete env["DISPLAY"];
  delete env["WAYLAND_DISPLAY"];
  return false;
}
