/** `hearth exec -- COMMAND`: a Hearth of its own for the time of one command, for tests and CI. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { simulatedLogin } from "../app/console/simulated-login.ts";
import { resolveSettings, SettingsError } from "../process/read-settings.ts";
import type { ReadyFileContent } from "../supervisor/ready-file.ts";
import { serve } from "./serve.ts";

export const execHelp = `Usage: hearth exec -- COMMAND [ARGUMENT]...

Starts Hearth on free ports over an empty data directory, runs COMMAND with HEARTH_APP_URL, HEARTH_PROVIDER_URL,
HEARTH_MODEL_URL, HEARTH_CONSOLE_URL and HEARTH_TOKEN (the session token of a user who has logged in completely) in its
environment, passes its exit code on and leaves nothing behind.
`;

/** The signal's number on top, as a shell reports a command that a signal ended. */
const exitCodeOf = (code: number | null, signal: NodeJS.Signals | null) =>
  code ?? 128 + (signal ? constants.signals[signal] : 0);

async function runCommand([command = "", ...args]: readonly string[], addresses: ReadyFileContent): Promise<number> {
  const { access_token } = await simulatedLogin("test", addresses);
  const child = spawn(command, args, {
    stdio: "inherit",
    env: {
      ...process.env,
      HEARTH_APP_URL: addresses.app,
      HEARTH_PROVIDER_URL: addresses.provider,
      HEARTH_MODEL_URL: addresses.model ?? "",
      HEARTH_CONSOLE_URL: addresses.console,
      HEARTH_TOKEN: access_token,
    },
  });
  const stop = () => child.kill("SIGTERM");
  process.once("exit", stop);
  try {
    const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
    return exitCodeOf(code, signal);
  } catch (error) {
    // As shells do: 127 when there is no such command.
    console.error(`hearth: ${command} cannot be run: ${(error as Error).message}`);
    return 127;
  } finally {
    process.off("exit", stop);
  }
}

/** @param argv what follows `exec` on the command line */
export async function exec(argv: readonly string[], cwd: string): Promise<number> {
  const at = argv.indexOf("--");
  if (at > 0) throw new SettingsError(`unexpected argument ${argv[0] ?? ""}; ${execHelp}`);
  const command = at === 0 ? argv.slice(1) : argv;
  if (command.length === 0) throw new SettingsError(`exec needs a command: hearth exec -- npm test`);
  const folder = await mkdtemp(join(tmpdir(), "hearth-exec-"));
  try {
    const settings = resolveSettings(
      {
        data_dir: join(folder, "data"),
        app_port: 0,
        provider_port: 0,
        model_port: 0,
        headless: true,
        log_level: "warn",
      },
      {},
      cwd,
    );
    return await serve(settings, { browser: false, whenReady: (addresses) => runCommand(command, addresses) });
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
