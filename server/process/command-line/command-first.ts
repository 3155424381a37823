/** Finds the command among the arguments, for the shell, which does not use the parser of flags. */
import { settingsSchema, type SettingName } from "../../contract/process/settings.ts";
import { flagName } from "../settings/read-settings.ts";
import { isSwitch } from "../settings/setting-kind.ts";

/** Whether the flag of a setting needs a value, such as the file of `--model`. */
export function takesValue(arg = ""): boolean {
  const flag = arg.toLowerCase().replaceAll("_", "-");
  const setting = (Object.keys(settingsSchema.shape) as SettingName[]).find((name) => flagName(name) === flag);
  return setting !== undefined && !isSwitch(setting);
}

/** Moves the command to the front: the first word that is not the value of a setting's flag. */
export function commandFirst(args: readonly string[]): readonly string[] {
  const isWord = (arg: string, index: number) =>
    index === 0 ? !arg.startsWith("-") : /^[a-z][a-z-]*$/.test(arg) && !takesValue(args[index - 1]);
  const end = args.indexOf("--");
  const at = args.findIndex((arg, index) => (end < 0 || index < end) && isWord(arg, index));
  return at <= 0 ? args : [args[at] ?? "", ...args.slice(0, at), ...args.slice(at + 1)];
}
