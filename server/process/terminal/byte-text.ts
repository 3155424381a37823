const units = [
  [1e9, "GB"],
  [1e6, "MB"],
  [1e3, "KB"],
] as const;

/** Bytes as people read them, in decimal units as lists of models have them. */
export function byteText(bytes: number): string {
  const [unit, name] = units.find(([size]) => bytes >= size) ?? [];
  return unit === undefined ? `${String(bytes)} B` : `${(bytes / unit).toFixed(1)} ${name}`;
}
