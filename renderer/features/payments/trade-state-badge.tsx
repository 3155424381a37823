import { CircleAlert, CircleCheck, CircleDashed, CircleSlash, KeyRound, RotateCcw, Undo2 } from "lucide-react";
import type { RefundStatus, TradeState } from "../../../server/contract/provider/payment-terms.ts";
import { Badge, type BadgeStyle } from "../../ui/marks/badge.tsx";

export const stateStyles: Readonly<Record<TradeState, BadgeStyle>> = {
  NOTPAY: { tone: "neutral", icon: CircleDashed },
  USERPAYING: { tone: "busy", icon: KeyRound },
  SUCCESS: { tone: "up", icon: CircleCheck },
  REFUND: { tone: "info", icon: Undo2 },
  CLOSED: { tone: "neutral", icon: CircleSlash },
  REVOKED: { tone: "neutral", icon: RotateCcw },
  PAYERROR: { tone: "down", icon: CircleAlert },
};

const refundStyles: Readonly<Record<RefundStatus, BadgeStyle>> = {
  PROCESSING: { tone: "busy", icon: CircleDashed },
  SUCCESS: { tone: "up", icon: CircleCheck },
  ABNORMAL: { tone: "down", icon: CircleAlert },
  CLOSED: { tone: "neutral", icon: CircleSlash },
};

export const TradeStateBadge = ({ state }: { state: TradeState }) => <Badge {...stateStyles[state]}>{state}</Badge>;

export const RefundStatusBadge = ({ status }: { status: RefundStatus }) => (
  <Badge {...refundStyles[status]}>{status}</Badge>
);
