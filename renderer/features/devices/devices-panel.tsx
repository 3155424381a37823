import { useTranslation } from "react-i18next";
import { useLanAccess } from "../../api/queries/use-lan-access.ts";
import { Notice } from "../../ui/dialogs/notice.tsx";
import { QueryFailure } from "../../ui/dialogs/query-failure.tsx";
import { Page } from "../../ui/page.tsx";
import { AccessSwitch } from "./access-switch.tsx";
import { DeviceList } from "./device-list.tsx";
import { FirewallHint } from "./firewall-hint.tsx";
import { LanAddresses } from "./lan-addresses.tsx";
import classes from "./devices.module.css";

/** Phones and other devices on the local network: the switch, the addresses for them, and who is let in. */
export function DevicesPanel() {
  const { t } = useTranslation();
  const query = useLanAccess();
  const { data: access } = query;
  return (
    <Page title={t("devices.title")}>
      <div className={classes.page}>
        {!access && <QueryFailure query={query} />}
        {access?.opened_by_host && <Notice kind="info">{t("devices.openedByHost")}</Notice>}
        {access && !access.opened_by_host && (
          <>
            <AccessSwitch access={access} />
            {access.enabled && (
              <>
                <LanAddresses access={access} />
                <DeviceList access={access} />
                <FirewallHint access={access} />
              </>
            )}
          </>
        )}
      </div>
    </Page>
  );
}
