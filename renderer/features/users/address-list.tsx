import { Button } from "@mantine/core";
import { Ban, Undo2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../ui/marks/badge.tsx";
import { RelativeTime } from "../../ui/marks/relative-time.tsx";
import { QueryFailure } from "../../ui/dialogs/query-failure.tsx";
import { useAddresses, useBans } from "./use-users.ts";
import { useUserActions } from "./use-user-actions.ts";
import classes from "./users.module.css";

/** The addresses of the user's requests; each can be banned. */
export function AddressList({ uid }: { uid: string }) {
  const { t } = useTranslation();
  const addresses = useAddresses(uid);
  const bans = useBans();
  const actions = useUserActions();
  return (
    <section>
      <h3>{t("users.addresses")}</h3>
      <QueryFailure query={addresses} />
      <QueryFailure query={bans} />
      {addresses.data?.length === 0 ? (
        <p className={classes.dim}>{t("users.noAddresses")}</p>
      ) : (
        <ul className={classes.sessions}>
          {addresses.data?.map(({ address, time, count }) => {
            const banned = bans.data?.includes(address);
            return (
              <li key={address}>
                <span className={classes.wire}>{address}</span>
                <span className={classes.dim}>
                  {t("users.requestCount", { count })} · <RelativeTime iso={time} />
                </span>
                {banned && (
                  <Badge tone="down" icon={Ban}>
                    403
                  </Badge>
                )}
                <span className={classes.sessionTools}>
                  <Button
                    size="compact-xs"
                    leftSection={banned ? <Undo2 size={12} aria-hidden /> : <Ban size={12} aria-hidden />}
                    onClick={() => void (banned ? actions.lift(address) : actions.ban(address))}
                  >
                    {t(banned ? "users.lift" : "users.ban")}
                  </Button>
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
