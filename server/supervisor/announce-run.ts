import type { Settings } from "../contract/process/settings.ts";
import { announce, type Announcement } from "../process/terminal/announce.ts";
import { checkoutOf, ownCommand } from "../process/terminal/own-command.ts";
import { countArmedFaults } from "./count-armed-faults.ts";
import type { ReadyFileContent } from "./ready-file.ts";

interface Options extends Pick<Announcement, "version" | "console" | "login"> {
  readonly settings: Settings;
  /** The command with which a user calls this program, and the file of that command. */
  readonly command: string;
  readonly cli: string;
}

/** Prints the block at the end of a run's start. */
export async function announceRun(addresses: ReadyFileContent, options: Options): Promise<void> {
  const { settings, command, cli } = options;
  await announce({
    ...options,
    addresses,
    command: ownCommand(command, settings.data_dir),
    linkIn: command.startsWith("node ") ? checkoutOf(cli) : undefined,
    armedFaults: await countArmedFaults(addresses),
  });
}
