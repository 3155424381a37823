/** Times as the provider writes them, always in UTC+8 (China has no summer time). */
const offsetMs = 8 * 3_600_000;

const shifted = (at: number) => new Date(at + offsetMs).toISOString();

/** Version 2: `yyyyMMddHHmmss`. @param at Unix ms */
export const compactTime = (at: number): string => shifted(at).replace(/[^\d]/g, "").slice(0, 14);

/** Refunds of version 2: `yyyy-MM-dd HH:mm:ss`. @param at Unix ms */
export const spacedTime = (at: number): string => shifted(at).slice(0, 19).replace("T", " ");

/** Version 3: RFC 3339 with the offset. @param at Unix ms */
export const offsetTime = (at: number): string => `${shifted(at).slice(0, 19)}+08:00`;

const dayMs = 24 * 3_600_000;

/** Unix ms of the start of the day. @param at Unix ms */
export const dayStart = (at: number): number => Math.floor((at + offsetMs) / dayMs) * dayMs - offsetMs;

/** Unix ms of a compact time; undefined if this time does not exist. */
export function readCompactTime(text: string): number | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text);
  if (!parts) return undefined;
  const [, year, month, day, hour, minute, second] = parts;
  const at = Date.parse(
    `${year ?? ""}-${month ?? ""}-${day ?? ""}T${hour ?? ""}:${minute ?? ""}:${second ?? ""}+08:00`,
  );
  // Date.parse takes February 31 for March 3, and 24:00 for the next day.
  return Number.isNaN(at) || compactTime(at) !== text ? undefined : at;
}

/** Whether a day exists. @param text `yyyyMMdd` */
export const isDay = (text: string): boolean => readCompactTime(`${text}000000`) !== undefined;
