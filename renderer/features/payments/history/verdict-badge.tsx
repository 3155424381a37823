import { CircleAlert, CircleCheck, CircleSlash, ShieldAlert, Timer, Unplug } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { NotificationVerdict } from "../../../../server/contract/provider/notification-verdicts.ts";
import { Badge, type BadgeStyle } from "../../../ui/marks/badge.tsx";

const styles: Readonly<Record<NotificationVerdict, BadgeStyle>> = {
  accepted: { tone: "up", icon: CircleCheck },
  believed: { tone: "down", icon: ShieldAlert },
  refused: { tone: "busy", icon: CircleSlash },
  slow: { tone: "down", icon: Timer },
  wrong_status: { tone: "down", icon: CircleAlert },
  wrong_body: { tone: "down", icon: CircleAlert },
  connection_failed: { tone: "down", icon: Unplug },
  lost: { tone: "neutral", icon: CircleSlash },
};

/** The provider's verdict on the receiver's answer. */
export function VerdictBadge({ verdict }: { verdict: NotificationVerdict }) {
  const { t } = useTranslation();
  return (
    <span title={t(`payments.verdictMeans.${verdict}`)}>
      <Badge {...styles[verdict]}>{verdict}</Badge>
    </span>
  );
}

/** Supplements the verdict: the answer may be the required one although an earlier one was wrong. */
export function TrustedBadge() {
  return (
    <Badge tone="down" icon={ShieldAlert}>
      trusted result_code
    </Badge>
  );
}
