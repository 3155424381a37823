import { SettingsError } from "../process/settings/read-settings.ts";

/**
 * @param flagsOf the actions of a command that have flags of their own, with these
 * @throws SettingsError for a given flag of another action than this
 */
export function refuseUnused(
  given: Readonly<Record<string, unknown>>,
  flagsOf: Readonly<Record<string, readonly string[]>>,
  action: string,
): void {
  for (const [of, flags] of Object.entries(flagsOf)) {
    const unused = of === action ? undefined : flags.find((flag) => given[flag] !== undefined);
    if (unused !== undefined) throw new SettingsError(`--${unused} goes with ${of}, not with ${action}`);
  }
}
