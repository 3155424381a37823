import { CircleCheck, KeyRound, Phone, TimerOff, UserRound } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ConsoleSession } from "../../../server/contract/console/console-users.ts";
import { Badge, type Tone } from "../../ui/marks/badge.tsx";
import { useTicking } from "../../ui/marks/ticker.ts";
import { countdownText, nextCall, type Reason } from "./user-rows.ts";
import classes from "./users.module.css";

const icons = { noSession: KeyRound, expired: TimerOff, userinfo: UserRound, phone: Phone, passes: CircleCheck };
const tones: Record<Reason, Tone> = {
  noSession: "neutral",
  expired: "down",
  userinfo: "busy",
  phone: "busy",
  passes: "up",
};

interface Props {
  session: ConsoleSession | undefined;
  /** The difference between the server's clock and this one, in ms. */
  ahead: number;
}

/** The answer to the session's next call, in words of the wire. */
export function NextCall({ session, ahead }: Props) {
  const { t } = useTranslation();
  const reason = useReason({ session, ahead });
  const { step } = nextCall(session, reason === "expired" ? Infinity : 0);
  return (
    <span title={t(`users.why.${reason}`)}>
      <Badge tone={tones[reason]} icon={icons[reason]}>
        {reason === "passes" ? t("users.passes") : `401 ${step ?? ""}`}
      </Badge>
    </span>
  );
}

/** The reason for that answer. */
export function NextCallReason({ session, ahead }: Props) {
  const { t } = useTranslation();
  const reason = useReason({ session, ahead });
  return <>{t(`users.why.${reason}`)}</>;
}

const useReason = ({ session, ahead }: Props): Reason =>
  useTicking((now) => nextCall(session, now + ahead).reason) as Reason;

/** The remaining time of the token. */
export function Countdown({ session, ahead }: { session: ConsoleSession; ahead: number }) {
  const text = useTicking((now) => countdownText(Date.parse(session.expires_at) - now - ahead));
  return (
    <time className={classes.wire} dateTime={session.expires_at} data-over={text === "0:00"}>
      {text}
    </time>
  );
}
