import type { TFunction } from "i18next";
import { CircleAlert, ShieldCheck, type LucideIcon } from "lucide-react";
import type { ListedOrder } from "./order-row.ts";

export interface OrderMark {
  readonly icon: LucideIcon;
  readonly text: string;
  /** Says what it means, or how to find out more. */
  readonly hint?: string;
  /** A warning that must not be overlooked. */
  readonly isBad: boolean;
}

/** The most important thing about an order besides its state; undefined: nothing is remarkable. */
export function markOf(row: ListedOrder, t: TFunction): OrderMark | undefined {
  const bad = (text: string): OrderMark => ({ icon: CircleAlert, text, isBad: true });
  if (row.held) return bad(t("payments.held"));
  if (row.unplaced) return bad(t("payments.unplaced"));
  if (row.failure) return bad(t("payments.failed", { reason: t(`payments.failure.${row.failure}`) }));
  if (row.undelivered) return { ...bad(t("payments.undelivered")), hint: t("payments.undeliveredHint") };
  return row.settled ? { icon: ShieldCheck, text: t("payments.settled"), isBad: false } : undefined;
}
