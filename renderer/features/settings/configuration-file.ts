import { z } from "zod";
import type { SettingView } from "../../../server/contract/console/setting-endpoints.ts";
import type { SettingValue } from "./use-settings.ts";

const fileSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]));

/** What this run works with, as a configuration file: all that is set, but no secrets. */
export function exportedFile(settings: readonly SettingView[]): string {
  const set = settings.filter(({ is_set, secret, editable }) => is_set && !secret && editable);
  return `${JSON.stringify(Object.fromEntries(set.map(({ name, value }) => [name, value])), null, 2)}\n`;
}

/** The settings in a configuration file's text. @throws Error when it is none */
export function importedValues(text: string): Record<string, SettingValue> {
  return fileSchema.parse(JSON.parse(text));
}
