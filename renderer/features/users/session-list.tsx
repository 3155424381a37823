import { ActionIcon, Button, Menu } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Ellipsis, TimerOff, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ConsoleSession } from "../../../server/contract/console/console-users.ts";
import { RelativeTime } from "../../ui/marks/relative-time.tsx";
import { useTicking } from "../../ui/marks/ticker.ts";
import { Countdown, NextCall } from "./next-call.tsx";
import { useUserActions } from "./use-user-actions.ts";
import classes from "./users.module.css";

/** Choices for the remaining time of a session, by their names in the texts. */
const lifetimes = { tenSeconds: 10, minute: 60, twoHours: 7_200 } as const;

export function SessionList({ sessions, ahead }: { sessions: readonly ConsoleSession[]; ahead: number }) {
  const { t } = useTranslation();
  if (sessions.length === 0) return <p className={classes.dim}>{t("users.noSessions")}</p>;
  return (
    <ul className={classes.sessions}>
      {sessions.map((session) => (
        <SessionItem key={session.id} session={session} ahead={ahead} />
      ))}
    </ul>
  );
}

function SessionItem({ session, ahead }: { session: ConsoleSession; ahead: number }) {
  const { t } = useTranslation();
  const actions = useUserActions();
  const left = () => Date.parse(session.expires_at) - Date.now() - ahead;
  const over = useTicking((now) => String(Date.parse(session.expires_at) <= now + ahead)) === "true";
  return (
    <li>
      <span className={classes.sessionName}>
        <Link to="/requests" search={{ session: String(session.id) }} className={classes.link}>
          {t("users.session", { id: session.id })}
        </Link>
        <span className={classes.dim}>
          <RelativeTime iso={session.created_at} />
        </span>
      </span>
      <NextCall session={session} ahead={ahead} />
      <Countdown session={session} ahead={ahead} />
      <span className={classes.sessionTools}>
        {!over && (
          <Button
            size="compact-xs"
            leftSection={<TimerOff size={12} aria-hidden />}
            onClick={() => void actions.expire(session, left())}
          >
            {t("users.expire")}
          </Button>
        )}
        <Button
          size="compact-xs"
          leftSection={<Trash2 size={12} aria-hidden />}
          onClick={() => void actions.revoke(session)}
        >
          {t("users.revoke")}
        </Button>
        <Menu>
          <Menu.Target>
            <ActionIcon size={22} aria-label={t("users.changeTime", { id: session.id })}>
              <Ellipsis size={13} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {Object.entries(lifetimes).map(([name, seconds]) => (
              <Menu.Item key={name} onClick={() => void actions.giveTime(session, seconds)}>
                {t(`users.give.${name as keyof typeof lifetimes}`)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </span>
    </li>
  );
}
