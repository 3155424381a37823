/** The form of a command: data from which the command line is made. */
import type { z } from "zod";
import type { SettingName, Settings } from "../contract/process/settings.ts";
import type { Input } from "../process/command-line/parse-input.ts";
import { resolveSettings } from "../process/settings/read-settings.ts";
import type { ProgramHost } from "../supervisor/program-host.ts";

/** The surroundings of a command. */
export interface CommandContext {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly host: ProgramHost;
  /** The version of this Hearth. */
  readonly version: string;
}

export interface Command<Of extends Input = Input> {
  /** The words after `hearth`, as in `keys add`. */
  readonly name: string;
  /** Another name. */
  readonly alias?: string;
  /** The heading in the general help; absent for an action of another command. */
  readonly group?: string;
  /** One sentence. The input's own description has more. */
  readonly summary: string;
  readonly input: Of;
  /** The command runs until it is stopped, even if its output is lost. */
  readonly runsOn?: true;
  /** Imports the function that runs the command and returns the exit code. */
  load(): Promise<(input: z.output<Of>, context: CommandContext) => number | Promise<number>>;
}

/** A row of the table, whose `load` matches its `input`. */
export const command = <Of extends Input>(row: Command<Of>): Command => row;

/** Resolves settings from some flags of an input. @throws SettingsError */
export function settingsBy<Name extends SettingName>(
  input: Readonly<Partial<Record<Name, unknown>>>,
  names: readonly Name[],
  { env, cwd }: Pick<CommandContext, "env" | "cwd">,
): Settings {
  const values = names.filter((name) => input[name] !== undefined).map((name) => [name, input[name]] as const);
  return resolveSettings(Object.fromEntries<unknown>(values), env, cwd);
}
