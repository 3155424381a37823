/** The commands that are made from the table of actions. */
import type { z } from "zod";
import type { HearthAction } from "../actions/action.ts";
import { actions } from "../actions/actions.ts";
import { HearthApi, type HearthAddresses } from "../actions/hearth-api.ts";
import { onOff, settingFlags } from "../process/command-line/inputs.ts";
import { cancelledCode } from "../process/lifetime/stop-request.ts";
import { printLine, printLines } from "../process/terminal/print-text.ts";
import { consoleAccess } from "../supervisor/console-access.ts";
import { readReadyFile, runFileIn } from "../supervisor/ready-file.ts";
import { command, settingsBy, type Command, type CommandContext } from "./command.ts";
import { findHearths, onlyOne } from "./find-hearth.ts";
import { consoleOf } from "./open-console.ts";

/** The running Hearth of the data directory that the flag names, or the only one. @throws RunError */
async function locate(input: Record<string, unknown>, context: CommandContext): Promise<HearthAddresses> {
  const { data_dir } = settingsBy(input, ["data_dir"], context);
  const running = onlyOne(await findHearths(data_dir, context.env), data_dir);
  const { token } = consoleAccess(consoleOf(running));
  const { app, provider } = readReadyFile(runFileIn(running.dataDir));
  return { app, provider, consoleToken: token };
}

const show = (action: HearthAction, output: unknown, asJson: boolean) => {
  if (asJson) printLine(JSON.stringify(output));
  else printLines(`${action.print(output)}\n`);
};

async function runAction(
  action: HearthAction,
  input: Record<string, unknown>,
  context: CommandContext,
): Promise<number> {
  const stopped = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopped.abort());
  const hearth = new HearthApi(() => locate(input, context));
  const asJson = input["json"] === true;
  try {
    const output = action.output.parse(await action.run(hearth, input, stopped.signal));
    show(action, output, asJson);
    return action.exitCode?.(output) ?? 0;
  } catch (error) {
    if (stopped.signal.aborted) return cancelledCode;
    throw error;
  }
}

const inputOf = (action: HearthAction) =>
  action.input.extend({
    json: onOff("print one JSON value"),
    ...settingFlags("data_dir"),
  });

export const actionCommands: readonly Command[] = actions.map((action) =>
  command({
    name: action.name,
    group: action.group,
    summary: action.summary,
    input: inputOf(action),
    load: () =>
      Promise.resolve((input: z.output<ReturnType<typeof inputOf>>, context) => runAction(action, input, context)),
  }),
);
