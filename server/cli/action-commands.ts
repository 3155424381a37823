/** The commands that are made from the table of actions. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { text as readStream } from "node:stream/consumers";
import type { HearthAction } from "../actions/action.ts";
import { actions } from "../actions/actions.ts";
import { HearthApi, type HearthAddresses } from "../actions/hearth-api.ts";
import { inputForms, onOff, settingFlags } from "../process/command-line/inputs.ts";
import { cancelledCode } from "../process/lifetime/stop-request.ts";
import { SettingsError } from "../process/settings/read-settings.ts";
import { printLine, printLines } from "../process/terminal/print-text.ts";
import { consoleAccess } from "../supervisor/console-access.ts";
import { command, settingsBy, type Command, type CommandContext } from "./command.ts";
import { findHearths, onlyOne } from "./find-hearth.ts";
import { addressesOf } from "./open-console.ts";

type Values = Readonly<Record<string, unknown>>;

/**
 * The Hearth of the data directory that the flag names, the one whose command this is (`hearth exec`), or the only one
 * that runs. @throws RunError
 */
export async function locateHearth(
  input: { readonly data_dir?: unknown },
  context: Pick<CommandContext, "env" | "cwd">,
): Promise<HearthAddresses> {
  const { HEARTH_APP_URL: own, HEARTH_PROVIDER_URL: ownProvider, HEARTH_CONSOLE_URL: ownConsole } = context.env;
  if (input.data_dir === undefined && own !== undefined && ownProvider !== undefined && ownConsole !== undefined)
    return { app: own, provider: ownProvider, consoleToken: consoleAccess(ownConsole).token };
  const { data_dir } = settingsBy(input, ["data_dir"], context);
  const running = onlyOne(await findHearths(data_dir, context.env), data_dir);
  const { app, provider, console } = addressesOf(running);
  return { app, provider, consoleToken: consoleAccess(console).token };
}

/** Replaces the paths of files by their texts. @throws SettingsError for a file that cannot be read */
async function readFiles(action: HearthAction, input: Values, cwd: string): Promise<Values> {
  const files = Object.entries(action.input.shape).filter(([, schema]) => inputForms.get(schema)?.isFile === true);
  const read = files.map(async ([name]) => {
    const path = String(input[name]);
    const content = path === "-" ? readStream(process.stdin) : readFile(resolve(cwd, path), "utf8");
    return [
      name,
      await content.catch((error: Error) => {
        throw new SettingsError(`${path} cannot be read: ${error.message}`);
      }),
    ] as const;
  });
  return { ...input, ...Object.fromEntries(await Promise.all(read)) };
}

function print(action: HearthAction, output: unknown, asJson: boolean): void {
  if (asJson) printLine(JSON.stringify(output));
  else printLines(`${action.print(output)}\n`);
}

/** Prints the items of a list and those that follow. Their JSON has a line each. */
async function follow(action: HearthAction, hearth: HearthApi, input: Values, signal: AbortSignal): Promise<void> {
  const show = (list: unknown) => {
    const items = list as unknown[];
    if (input["json"] === true) for (const item of items) printLine(JSON.stringify(item));
    else if (items.length > 0) printLines(`${action.print(items)}\n`);
  };
  const listed = await action.run(hearth, input, signal);
  show(listed);
  for await (const more of action.follow?.(hearth, input, signal, listed) ?? []) show(more);
}

const stopSignals = ["SIGINT", "SIGTERM"] as const;

async function runAction(action: HearthAction, given: Values, context: CommandContext): Promise<number> {
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  for (const signal of stopSignals) process.once(signal, stop);
  const hearth = new HearthApi(() => locateHearth(given, context));
  try {
    const input = await readFiles(action, given, context.cwd);
    if (input["follow"] === true) await follow(action, hearth, input, stopped.signal);
    else print(action, action.output.parse(await action.run(hearth, input, stopped.signal)), input["json"] === true);
    return stopped.signal.aborted ? cancelledCode : 0;
  } catch (error) {
    if (stopped.signal.aborted) return cancelledCode;
    throw error;
  } finally {
    for (const signal of stopSignals) process.off(signal, stop);
  }
}

const inputOf = ({ input, follow: follows }: HearthAction) =>
  input.extend({
    ...(follows && { follow: onOff("keep printing new ones until you press Ctrl-C; with --json, one value per line") }),
    json: onOff("print one JSON value"),
    ...settingFlags("data_dir"),
  });

const commandActions = actions.filter(({ hasOwnCommand }) => hasOwnCommand !== true);

export const actionCommands: readonly Command[] = commandActions.map((action) => {
  const { name, group, summary } = action;
  const row = { summary, input: inputOf(action), load: () => Promise.resolve(runAction.bind(undefined, action)) };
  const [word = ""] = name.split(" ");
  // The first word of a family alone names its first action.
  const isDefault = actions.find((other) => other.name.split(" ")[0] === word) === action;
  if (!isDefault) return command({ name, ...row });
  return command({ name: word, group, ...row, ...(word !== name && { alias: name }) });
});
