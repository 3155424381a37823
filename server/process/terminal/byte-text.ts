/** Bytes in readable form, in the decimal units that model lists use. */
export function byteText(bytes: number): string {
  const [unit, name] = bytes >= 1e9 ? [1e9, "GB"] : bytes >= 1e6 ? [1e6, "MB"] : [1e3, "KB"];
  return `${(bytes / Number(unit)).toFixed(1)} ${String(name)}`;
}
