/** Output files, which a command writes at the end of long work. */
import { accessSync, constants, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { SettingsError } from "../process/settings/read-settings.ts";

/** Makes the folder of a file that a flag names. @throws SettingsError if the file cannot be written there */
export function makeRoomFor(file: string, flag: string): void {
  const folder = dirname(file);
  try {
    mkdirSync(folder, { recursive: true });
    const found = statSync(file, { throwIfNoEntry: false });
    if (found?.isDirectory() === true) throw new Error("the path is a folder");
    accessSync(found ? file : folder, constants.W_OK);
  } catch (error) {
    throw new SettingsError(`${flag}: ${file} cannot be written: ${(error as Error).message}`);
  }
}
