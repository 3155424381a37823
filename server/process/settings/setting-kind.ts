/** The kinds of settings' values. */
import { settingsSchema, type SettingName } from "../../contract/process/settings.ts";

/** True where the setting is a switch: the flag alone means true, `--no-…` false. */
export const isSwitch = (name: SettingName) => settingsSchema.shape[name].safeParse("true").data === true;

/** The possible texts of a setting that has only a few. */
export function choicesOf(name: SettingName): readonly string[] | undefined {
  const field = settingsSchema.shape[name];
  const inner = "unwrap" in field ? field.unwrap() : field;
  const options: readonly unknown[] = "options" in inner ? inner.options : [undefined];
  return options.every((option) => typeof option === "string") ? options : undefined;
}
