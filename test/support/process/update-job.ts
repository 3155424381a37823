/** An update of the packaged program, from its offer in the window to the new version's start. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import type { ReadyFileContent } from "../../../server/supervisor/ready-file.ts";
import { asConsole, logIn } from "./console-access.ts";
import { isRunning } from "./processes.ts";
import { openPackagedWindow, sameUser, unpackDeb } from "./packaged-program.ts";
import { newerDeb, serveUpdate, standInForDpkg } from "./update-server.ts";

const { version } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as {
  version: string;
};

async function runningVersion({ app, console: address }: ReadyFileContent): Promise<unknown> {
  const overview = await fetch(`${app}/console/api/overview`, { headers: asConsole(address) });
  return ((await overview.json()) as { version: string }).version;
}

/**
 * Installs a Debian package into the folder `world`, starts it, and updates it there.
 * @throws AssertionError where it does not go as a person expects
 */
export async function doUpdate(deb: string, world: string): Promise<void> {
  const place = (name: string) => join(world, name);
  unpackDeb(dirname(deb), place("system"));
  const installed = join(place("system"), "opt/Hearth/hearth");
  const user = sameUser(place("home"));
  const newer = version.replace(/^\d/, "9");
  await using server = await serveUpdate(newerDeb(deb, place("system"), world, version, newer), newer);
  const env = { PATH: standInForDpkg(place("bin"), place("system")) };
  const options = { dataDir: place("data"), env, flags: ["--update-url", server.url] };
  const open = () => openPackagedWindow(installed, user, options);
  {
    await using window = await open();
    const bar = window.page.getByRole("status").filter({ hasText: /Hearth \d|update/ });
    const press = (name: string) => bar.getByRole("button", { name, exact: true }).click();
    const says = (text: string) => bar.getByText(text).waitFor();
    await says(`Hearth ${newer} can be downloaded`);
    server.state.isForged = true;
    await press("Download");
    await says("sha512 checksum mismatch");
    server.state.isForged = false;
    server.state.isStuck = true;
    await press("Look again");
    await press("Download");
    await expect.poll(() => bar.textContent()).toMatch(/[1-9]\d? %/);
    await press("Cancel");
    await says(`Hearth ${newer} can be downloaded`);
    await press("Download");
    // Killed in the middle of it, it starts as before, and offers the version again.
    window.hearth.child.kill("SIGKILL");
  }
  server.state.isStuck = false;
  await using window = await open();
  const { pid } = window.addresses;
  const login = await logIn(window.addresses);
  await window.page.getByRole("button", { name: "Download", exact: true }).click();
  await window.page.getByText(`Hearth ${newer} is downloaded and verified`).waitFor();
  expect(await runningVersion(window.addresses)).toBe(version);
  await window.page.getByRole("button", { name: "Restart now" }).click();
  const next = () => JSON.parse(readFileSync(window.hearth.readyFile, "utf8")) as ReadyFileContent;
  await expect.poll(() => (existsSync(window.hearth.readyFile) ? next().pid : pid)).not.toBe(pid);
  try {
    expect(await runningVersion(next())).toBe(newer);
    expect((await fetch(`${next().app}/api/articles`, { headers: login })).status).toBe(200);
  } finally {
    const { pid: last } = next();
    process.kill(last, "SIGTERM");
    await expect.poll(() => isRunning(last)).toBe(false);
  }
}
