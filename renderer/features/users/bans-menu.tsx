import { Button, Popover, TextInput } from "@mantine/core";
import { Ban } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useBans } from "./use-users.ts";
import { useUserActions } from "./use-user-actions.ts";
import classes from "./users.module.css";
import { QueryFailure } from "../../ui/dialogs/query-failure.tsx";

/** The banned addresses, and a field to add one. */
export function BansMenu() {
  const { t } = useTranslation();
  const query = useBans();
  const { data: bans = [] } = query;
  const actions = useUserActions();
  const [ip, setIp] = useState("");
  const ban = async () => {
    if (await actions.ban(ip.trim())) setIp((now) => (now === ip ? "" : now));
  };
  return (
    <Popover position="bottom-end" width={280} trapFocus>
      <Popover.Target>
        <Button leftSection={<Ban size={13} aria-hidden />}>
          {bans.length === 0 ? t("users.bans") : t("users.bansCount", { count: bans.length })}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form
          className={classes.popover}
          onSubmit={(event) => {
            event.preventDefault();
            void ban();
          }}
        >
          <p className={classes.dim}>{t("users.bansText")}</p>
          <QueryFailure query={query} />
          {bans.map((address) => (
            <div key={address} className={classes.ban}>
              <span className={classes.wire}>{address}</span>
              <Button size="compact-xs" onClick={() => void actions.lift(address)}>
                {t("users.lift")}
              </Button>
            </div>
          ))}
          <div className={classes.ban}>
            <TextInput
              aria-label={t("users.banAddress")}
              placeholder="192.0.2.7"
              value={ip}
              onChange={(change) => setIp(change.currentTarget.value)}
            />
            <Button type="submit" disabled={ip.trim() === ""}>
              {t("users.ban")}
            </Button>
          </div>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
