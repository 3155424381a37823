/** What this program was called with: flags of its own, or one of the `hearth` commands. */
import { app } from "electron";
import { commandName, quoted } from "../../server/process/terminal/own-command.ts";
import { beside } from "../beside.ts";

/** Switches of Chromium and Electron, which a packaged program gets among its own flags. */
const foreignSwitch =
  /^(--(no-sandbox|no-zygote|inspect|remote-debugging|disable-|enable-|ozone-|js-flags|use-|force-|lang\b|user-data-dir|password-store)|-psn_)/;

/** In a checkout, the `hearth` command passes the resolved settings; a packaged program reads its own flags. */
export function ownFlags(): string[] {
  return app.isPackaged ? process.argv.slice(1).filter((arg) => !foreignSwitch.test(arg)) : [];
}

/** The command with which a user starts this program; a package's is its own path. */
export const typedCommand = (): string =>
  app.isPackaged ? quoted(process.env["APPIMAGE"] ?? process.execPath) : commandName(beside("cli.js"));

/** The `hearth` commands that a package supports as well: those that start no Hearth. */
const commands = /^(watch|open|token|pull|list|ls|rm|create|backup|restore)$/;

export const isCommand = (flag = ""): boolean => commands.test(flag);

interface CommandModule {
  main: (argv: readonly string[]) => Promise<void>;
}

export async function runCommand(argv: readonly string[]): Promise<void> {
  // Not a literal, so that the bundler keeps it as a separate file.
  const { main: run } = (await import(new URL("./cli-main.js", import.meta.url).href)) as CommandModule;
  app.dock?.hide();
  await run(argv);
  // A watch runs until it is stopped.
  if (argv[0] !== "watch" || process.exitCode !== 0) app.exit(Number(process.exitCode ?? 0));
}
