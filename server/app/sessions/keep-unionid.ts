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
      "the platform returned another unionid for a user. Hearth keeps the stored one. The app may have moved to another platform account",
    );
  return unionid ?? (reported || null);
}
