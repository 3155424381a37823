import { CircleAlert, CircleCheck, CircleDashed, CircleSlash, KeyRound, Undo2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Badge, type BadgeStyle } from "../../../ui/marks/badge.tsx";
import type { ProductEntry } from "./product.ts";

const busy: BadgeStyle = { tone: "busy", icon: CircleDashed };
const waiting: BadgeStyle = { tone: "busy", icon: KeyRound };
const done: BadgeStyle = { tone: "up", icon: CircleCheck };
const ended: BadgeStyle = { tone: "neutral", icon: CircleSlash };
const failed: BadgeStyle = { tone: "down", icon: CircleAlert };

/** Words of all products: those on the wire, and texts for numbers. */
const styles: Readonly<Record<string, BadgeStyle>> = {
  PROCESSING: busy,
  PENDING: waiting,
  FINISHED: done,
  SUCCESS: done,
  CLOSED: ended,
  ACCEPTED: busy,
  WAIT_USER_CONFIRM: waiting,
  TRANSFERING: busy,
  CANCELING: busy,
  CANCELLED: ended,
  FAIL: failed,
  PROCESSED: done,
  pending: busy,
  accepted: done,
  given_up: failed,
  toShip: busy,
  shipped: { tone: "info", icon: CircleDashed },
  received: done,
  completed: done,
  refunded: { tone: "info", icon: Undo2 },
};

export function ProductState({ state, stateText }: Pick<ProductEntry, "state" | "stateText">) {
  const { t } = useTranslation();
  return (
    <Badge {...(styles[stateText ?? state] ?? ended)}>
      {stateText ? t(`payments.products.shipmentState.${stateText}`) : state}
    </Badge>
  );
}
