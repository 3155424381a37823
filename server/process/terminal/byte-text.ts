/** Bytes as people read them, in decimal units as lists of models have them. */
export function byteText(bytes: number): string {
  const [unit, name] = bytes >= 1e9 ? [1e9, "GB"] : bytes >= 1e6 ? [1e6, "MB"] : [1e3, "KB"];
  return `${(bytes / Number(unit)).toFixed(1)} ${String(name)}`;
}
