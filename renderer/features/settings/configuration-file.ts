import { z } from "zod";
import type { SettingView } from "../../../server/contract/console/setting-endpoints.ts";
import type { SettingValue } from "./use-settings.ts";

const fileSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]));

/** The value in effect, or the pending one. */
export const savedValue = ({ pending, value, next_value }: SettingView): SettingView["value"] =>
  pending ? next_value : value;

/** The saved settings as a configuration file, without secrets. */
export function exportedFile(settings: readonly SettingView[]): string {
  const set = settings.filter(({ is_set, pending, secret, editable }) => (is_set || pending) && !secret && editable);
  return `${JSON.stringify(Object.fromEntries(set.map((one) => [one.name, savedValue(one)])), null, 2)}\n`;
}

/** The settings in a configuration file's text. @throws Error for an invalid file */
export function importedValues(text: string): Record<string, SettingValue> {
  return fileSchema.parse(JSON.parse(text));
}
