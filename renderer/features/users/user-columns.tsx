import type { TFunction } from "i18next";
import type { Column } from "../../ui/table/table-columns.ts";
import { RowTime } from "../../ui/marks/row-time.tsx";
import { LoginLights } from "./login-lights.tsx";
import { Countdown, NextCall } from "./next-call.tsx";
import type { UserRow } from "./user-rows.ts";
import classes from "./users.module.css";

export const userColumns = (t: TFunction, ahead: number): Column<UserRow>[] => [
  {
    key: "name",
    sortBy: ({ name }) => name,
    header: t("users.name"),
    track: "minmax(96px, 1fr)",
    narrowTrack: "minmax(80px, 1fr)",
    cell: ({ name, user }) => (
      <span>
        {name}
        {user?.nick_name !== undefined && user.nick_name !== name && (
          <span className={classes.dim}> {user.nick_name}</span>
        )}
      </span>
    ),
  },
  {
    key: "uid",
    sortBy: ({ user }) => user?.uid,
    header: t("users.uid"),
    track: "52px",
    wideOnly: true,
    cell: ({ user }) =>
      user ? <span className={classes.wire}>{user.uid}</span> : <span className={classes.dim}>–</span>,
  },
  {
    key: "next",
    header: t("users.nextCall"),
    track: "196px",
    narrowTrack: "196px",
    cell: ({ user }) => <NextCall session={user?.newest_session} ahead={ahead} />,
  },
  {
    key: "left",
    sortBy: ({ user }) => user?.newest_session && Date.parse(user.newest_session.expires_at),
    header: t("users.timeLeft"),
    track: "68px",
    narrowTrack: "56px",
    align: "end",
    cell: ({ user }) => user?.newest_session && <Countdown session={user.newest_session} ahead={ahead} />,
  },
  {
    key: "sessions",
    sortBy: ({ user }) => user?.session_count ?? 0,
    header: t("users.sessions"),
    track: "62px",
    wideOnly: true,
    align: "end",
    cell: ({ user }) => user?.session_count ?? 0,
  },
  {
    key: "known",
    header: t("users.login"),
    track: "minmax(84px, 140px)",
    wideOnly: true,
    cell: ({ user }) => user && <LoginLights user={user} session={user.newest_session} ahead={ahead} compact />,
  },
  {
    key: "since",
    sortBy: ({ user }) => user?.created_at,
    header: t("users.since"),
    track: "96px",
    wideOnly: true,
    cell: ({ user }) =>
      user ? <RowTime iso={user.created_at} /> : <span className={classes.dim}>{t("users.never")}</span>,
  },
];
