/** An update of the packaged program, from its offer in the window to the new version's start. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import type { ReadyFileContent } from "../../../server/supervisor/ready-file.ts";
import { pressToEnd } from "../console/console-page.ts";
import { asConsole, logIn } from "./console-access.ts";
import { isRunning, sendSignal } from "./processes.ts";
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
  const commands = standInForDpkg(place("bin"), place("system"));
  const options = { dataDir: place("data"), env: { PATH: commands }, flags: ["--update-url", server.url] };
  const open = () => openPackagedWindow(installed, user, options);
  const downloads = join(user.home, ".cache/hearth-updater/pending");
  const downloaded = () => (existsSync(downloads) ? readdirSync(downloads) : []);

  server.state.isSilent = true;
  {
    await using window = await open();
    await expect.poll(() => server.state.asked).toBe(1);
    window.hearth.child.kill("SIGKILL");
  }
  server.state.isSilent = false;
  {
    await using window = await open();
    const bar = window.page.getByRole("status").filter({ hasText: /Hearth \d|update/i });
    const press = (name: string) => bar.getByRole("button", { name, exact: true }).click();
    const says = (text: string) => bar.getByText(text).waitFor();
    await says(`Hearth ${newer} is available`);
    server.state.isForged = true;
    await press("Download");
    await says("sha512 checksum mismatch");
    server.state.isForged = false;
    server.state.isStuck = true;
    await press("Check again");
    await press("Download");
    await expect.poll(() => bar.textContent()).toMatch(/[1-9]\d? %/);
    await press("Cancel");
    await says(`Hearth ${newer} is available`);
    await press("Download");
    await expect.poll(() => downloaded().join()).toContain("temp-");
    // Killed in the middle of it, it starts as before, and offers the version again.
    window.hearth.child.kill("SIGKILL");
  }
  server.state.isStuck = false;

  /** Starts it again, and has it download the version. */
  async function openDownloaded() {
    const window = await open();
    const download = window.page.getByRole("button", { name: "Download", exact: true });
    await download.waitFor();
    expect(downloaded().join()).not.toContain("temp-");
    await download.click();
    await window.page.getByText(`Hearth ${newer} is downloaded and verified`).waitFor();
    expect(await runningVersion(window.addresses)).toBe(version);
    return window;
  }
  {
    await using window = await openDownloaded();
    window.hearth.child.kill("SIGKILL");
  }
  const { sent } = server.state;
  let login: Awaited<ReturnType<typeof logIn>>;
  {
    // The installer is killed: what was there goes on.
    writeFileSync(join(commands, "killed"), "");
    await using window = await openDownloaded();
    login = await logIn(window.addresses);
    await restartedAs(version, window, login);
    expect([server.state.sent, existsSync(join(commands, "killed"))]).toEqual([sent, false]);
  }
  await using window = await openDownloaded();
  // The newer one looks for a version, too, and finds that this was it.
  await restartedAs(newer, window, login, () => expect.poll(downloaded).toEqual([]));
}

/** Restarts the program from its window, and ends what has started then. @throws AssertionError if that is another version */
async function restartedAs(
  wanted: string,
  { page, hearth, addresses }: Awaited<ReturnType<typeof openPackagedWindow>>,
  login: Awaited<ReturnType<typeof logIn>>,
  check = async () => undefined as unknown,
): Promise<void> {
  const { pid } = addresses;
  await pressToEnd(page.getByRole("button", { name: "Restart now" }));
  const next = () => JSON.parse(readFileSync(hearth.readyFile, "utf8")) as ReadyFileContent;
  const isNext = expect.poll(() => (existsSync(hearth.readyFile) ? next().pid : pid)).not.toBe(pid);
  await isNext.catch((error: Error) => {
    const log = readFileSync(join(hearth.dataDir, "window/logs/hearth.log"), "utf8");
    const itself = isRunning(pid) ? "has not ended" : "has ended";
    throw new Error(`${error.message}: pid ${pid} ${itself}. Its log ends:\n${log.slice(-2_000)}`, { cause: error });
  });
  try {
    expect(await runningVersion(next())).toBe(wanted);
    expect((await fetch(`${next().app}/api/articles`, { headers: login })).status).toBe(200);
    await check();
  } finally {
    const { pid: last } = next();
    sendSignal(last, "SIGTERM");
    await expect.poll(() => isRunning(last)).toBe(false);
  }
}
