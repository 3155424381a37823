/** A small file in the data directory with the desktop program's state. */
import { z } from "zod";
import { desktopSchema } from "../../server/contract/console/machine/desktop.ts";
import { readConfigFile, writeConfigFile } from "../../server/process/settings/config-file.ts";

const placeSchema = z.object({
  x: z.number().int(),
  y: z.number().int(),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  maximized: z.boolean(),
});
/** The bounds of the window on the screen, in device-independent pixels. */
export type WindowPlace = z.infer<typeof placeSchema>;

const { onClose, notify } = desktopSchema.shape;
/** Payments and uploads come in hundreds where tests run. */
const firstNotify = { payments: false, uploads: false, watchers: true, models: true };

/** A member that is missing or damaged counts as its default. */
const stateSchema = z.object({
  onClose: onClose.catch("ask"),
  notify: notify.catch(firstNotify),
  isIntroduced: z.boolean().catch(false),
  language: z.enum(["en", "zh"]).optional().catch(undefined),
  place: placeSchema.optional().catch(undefined),
  /** The version of Electron whose GPU process ended again and again. */
  softwareDrawingOf: z.string().optional().catch(undefined),
});
export type DesktopState = z.infer<typeof stateSchema>;

export interface DesktopStateFile {
  readonly get: () => DesktopState;
  readonly change: (part: Partial<DesktopState>) => void;
}

function readState(file: string): DesktopState {
  try {
    return stateSchema.parse(readConfigFile(file));
  } catch {
    return stateSchema.parse({});
  }
}

/** @param onError receives what keeps the file from being written; the state counts for this run then */
export function openDesktopState(file: string, onError: (error: unknown) => void): DesktopStateFile {
  let state = readState(file);
  return {
    get: () => state,
    change(part) {
      state = { ...state, ...part };
      try {
        writeConfigFile(file, state);
      } catch (error) {
        onError(error);
      }
    },
  };
}
