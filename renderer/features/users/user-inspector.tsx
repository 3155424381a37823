import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { LogIn, PhoneOff, UserRoundX } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ConsoleSession, ConsoleUser } from "../../../server/contract/console/console-users.ts";
import type { SimPerson } from "../../../server/contract/provider/sim-people.ts";
import { useFormats } from "../../i18n/formats-context.tsx";
import { CopyButton } from "../../ui/code/copy-button.tsx";
import { Fields } from "../../ui/forms/fields.tsx";
import { Notice } from "../../ui/dialogs/notice.tsx";
import { AddressList } from "./address-list.tsx";
import { LoginLights } from "./login-lights.tsx";
import { NextCall, NextCallReason } from "./next-call.tsx";
import { PersonSection } from "./person-section.tsx";
import { SessionList } from "./session-list.tsx";
import { useUserActions } from "./use-user-actions.ts";
import classes from "./users.module.css";

/** A user, a simulated person, or both. */
export function UserInspector(props: {
  user: ConsoleUser | undefined;
  sessions: readonly ConsoleSession[];
  ahead: number;
  person: SimPerson | undefined;
}) {
  const { t } = useTranslation();
  const { user, sessions, ahead, person } = props;
  return (
    <>
      <section className={classes.next}>
        <h3>{t("users.login")}</h3>
        <LoginLights user={user} session={sessions[0]} ahead={ahead} />
        <h3>{t("users.nextCall")}</h3>
        <div className={classes.nextLine}>
          <NextCall session={sessions[0]} ahead={ahead} />
          <span className={classes.dim}>
            <NextCallReason session={sessions[0]} ahead={ahead} />
          </span>
        </div>
        <UserButtons user={user} person={person} />
      </section>
      {user && (
        <section>
          <h3>{t("users.sessions")}</h3>
          <SessionList sessions={sessions} ahead={ahead} />
        </section>
      )}
      {user && <UserFields user={user} />}
      {user && <AddressList uid={user.uid} />}
      {person && <PersonSection person={person} />}
    </>
  );
}

function UserButtons({ user, person }: { user: ConsoleUser | undefined; person: SimPerson | undefined }) {
  const { t } = useTranslation();
  const actions = useUserActions();
  const [token, setToken] = useState<string>();
  const [busy, setBusy] = useState(false);
  const logIn = async (name: string) => {
    setBusy(true);
    setToken(await actions.logIn(name));
    setBusy(false);
  };
  return (
    <>
      <div className={classes.buttons}>
        {person && (
          <Button leftSection={<LogIn size={13} aria-hidden />} loading={busy} onClick={() => void logIn(person.name)}>
            {t("users.logIn")}
          </Button>
        )}
        {user?.has_phone && (
          <Button leftSection={<PhoneOff size={13} aria-hidden />} onClick={() => void actions.forgetPhone(user)}>
            {t("users.forgetPhone")}
          </Button>
        )}
        {user && (user.has_userinfo || user.has_unionid) && (
          <Button leftSection={<UserRoundX size={13} aria-hidden />} onClick={() => void actions.forgetUserInfo(user)}>
            {t("users.forgetUserInfo")}
          </Button>
        )}
      </div>
      {token !== undefined && (
        <Notice kind="info">
          <span className={classes.token}>
            {t("users.loggedIn")} <CopyButton value={token} name={t("users.token")} />
          </span>
        </Notice>
      )}
    </>
  );
}

function UserFields({ user }: { user: ConsoleUser }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const obtained = (known: boolean) => t(known ? "users.obtained" : "users.notObtained");
  return (
    <section>
      <h3>{t("users.user")}</h3>
      <Fields
        items={[
          {
            name: t("users.uid"),
            value: (
              <span className={classes.links}>
                <span className={classes.wire}>{user.uid}</span>
                <Link to="/requests" search={{ uid: user.uid }} className={classes.link}>
                  {t("users.requests")}
                </Link>
              </span>
            ),
          },
          ...(user.nick_name === undefined ? [] : [{ name: t("users.nickname"), value: user.nick_name }]),
          { name: t("users.knows.userinfo"), value: obtained(user.has_userinfo) },
          { name: "unionid", value: obtained(user.has_unionid) },
          { name: t("users.knows.phone"), value: obtained(user.has_phone) },
          {
            name: t("users.since"),
            value: <time dateTime={user.created_at}>{formats.exact(user.created_at)}</time>,
          },
        ]}
      />
    </section>
  );
}
