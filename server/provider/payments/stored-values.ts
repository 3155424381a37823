/** Values that several tables of payments store, with the limits that a loaded state is checked by. */
import { z } from "zod";

export const storedMchId = z.string().min(1).max(32);
/** Unix ms. Times after the year 9999 could not be read elsewhere. */
export const storedTime = z
  .int()
  .min(0)
  .max(Date.UTC(10_000, 0) - 1);
export const storedCount = z.int().min(0);
export const boundedText = z.string().max(65_536);
/** The address of the other machine that named a URL; empty: unknown, null: this machine. */
export const storedAsker = z.string().max(64);
export const storedJson = z.string().refine((value) => {
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}, "is not JSON");
