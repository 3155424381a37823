import type { InstalledModel } from "./installed-model.ts";

/** spec: Model memory guidance: at least 8 GB for a 7b model, 16 GB for 13b, 32 GB for 33b. It only warns. */
const guidance = [
  { parameters: 33e9, gigabytes: 32 },
  { parameters: 13e9, gigabytes: 16 },
  { parameters: 7e9, gigabytes: 8 },
] as const;

/** A machine sold with 16 GB reports a little less, because firmware and graphics keep some. */
const tolerance = 0.9;
const gigabyte = 2 ** 30;

const units: Readonly<Record<string, number>> = { K: 1e3, M: 1e6, B: 1e9, T: 1e12 };

/** Parses a number of weights such as "3.2B". */
export function weightCountOf(text: string): number | undefined {
  const [, digits, unit = ""] = /^(\d+(?:\.\d+)?)([KMBT])$/i.exec(text.trim()) ?? [];
  const factor = units[unit.toUpperCase()];
  return digits === undefined || factor === undefined ? undefined : Number(digits) * factor;
}

// A "7b" model has 6.7 to 7.6 billion weights, so sizes are compared with the same tolerance.
const rowFor = (parameters: number) => guidance.find((one) => parameters >= one.parameters * tolerance);

/** Recommended bytes of memory for a model with this many weights; undefined for small ones. */
export function guidedMemory(parameters: number): number | undefined {
  const row = rowFor(parameters);
  return row && row.gigabytes * gigabyte;
}

/**
 * The warning for a model with this many weights on a machine with this many bytes of memory; undefined when they
 * suffice.
 */
export function memoryWarning(parameters: number, totalBytes: number): string | undefined {
  const row = rowFor(parameters);
  if (row === undefined || totalBytes >= row.gigabytes * gigabyte * tolerance) return undefined;
  const size = (parameters / 1e9).toFixed(1).replace(/\.0$/, "");
  const has = (totalBytes / gigabyte).toFixed(1);
  return `a model of ${size}B parameters needs at least ${String(row.gigabytes)} GB of memory; this machine has ${has} GB`;
}

/** Weights of an installed model. */
export const weightsOf = ({ config, header }: Pick<InstalledModel, "config" | "header">) =>
  weightCountOf(config?.model_type ?? "") ?? header.parameterCount;
