const units = [
  [1e9, "GB"],
  [1e6, "MB"],
  [1e3, "KB"],
] as const;

/** Bytes in decimal units, as in lists of models. */
export function byteText(bytes: number): string {
  const [unit, name] = units.find(([size]) => bytes >= size) ?? [];
  return unit === undefined ? `${String(bytes)} B` : `${(bytes / unit).toFixed(1)} ${name}`;
}
