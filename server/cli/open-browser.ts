import { spawn } from "node:child_process";

const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
  darwin: ["open"],
};

/** Opens an address in the default browser; false when the system cannot. */
export async function openBrowser(address: string): Promise<boolean> {
  const [command, ...args] = openers[process.platform] ?? ["xdg-open"];
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const opener = spawn(command, [...args, address], { detached: true, stdio: "ignore" });
  opener.once("error", () => resolve(false));
  opener.once("spawn", () => resolve(true));
  opener.unref();
  return promise;
}
