import type { Logger } from "pino";

/**
 * The unionid to store after a reply of the platform, which may have none. The stored one stays: replies contain it only
 * under certain conditions, and another one means that the app belongs to another platform account now.
 */
export function keepUnionid(
  { id, unionid }: { readonly id: number; readonly unionid: string | null },
  reported: string | undefined,
  log: Pick<Logger, "warn">,
): string | null {
  if (unionid !== null && reported && reported !== unionid)
    log.warn(
      { user_id: id },
      "the platform tells another unionid of a user than the stored one, which is kept: the app may have moved to another platform account",
    );
  return unionid ?? (reported || null);
}
