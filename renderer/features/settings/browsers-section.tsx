import { Button } from "@mantine/core";
import { AppWindow, LogOut } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { LoggedInBrowser } from "../../../server/contract/console/console-logins.ts";
import { useShowFailure } from "../../api/actions/use-show-failure.ts";
import { useConfirm } from "../../ui/dialogs/confirm.tsx";
import { QueryFailure } from "../../ui/dialogs/query-failure.tsx";
import { Badge } from "../../ui/marks/badge.tsx";
import { RelativeTime } from "../../ui/marks/relative-time.tsx";
import classes from "./settings.module.css";
import { useBrowsers, useRemoveBrowser } from "./use-browsers.ts";

/** The browsers that are logged in to the console, each with a button that ends its login. */
export function BrowsersSection() {
  const { t } = useTranslation();
  const browsers = useBrowsers();
  const { data } = browsers;
  return (
    <section aria-labelledby="settings-browsers" className={classes.group}>
      <h2 id="settings-browsers">{t("settings.browsers.title")}</h2>
      <QueryFailure query={browsers} />
      <div className={classes.total}>
        <p className={classes.lead}>{t("settings.browsers.about")}</p>
      </div>
      {data?.browsers.length === 0 && <p className={classes.text}>{t("settings.browsers.none")}</p>}
      {data?.browsers.map((browser) => (
        <BrowserRow key={browser.id} of={browser} />
      ))}
    </section>
  );
}

function BrowserRow({ of: { id, name: known, since, seen_at, current } }: { of: LoggedInBrowser }) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const showFailure = useShowFailure();
  const remove = useRemoveBrowser();
  const name = known === "" ? t("settings.browsers.unnamed") : known;
  const logOut = async () => {
    const sure =
      !current ||
      (await confirm({
        title: t("settings.browsers.confirm.title"),
        text: t("settings.browsers.confirm.text"),
        action: t("settings.browsers.remove"),
        danger: true,
      }));
    if (sure) remove.mutate(id, { onError: showFailure });
  };
  return (
    <div className={classes.key} role="group" aria-label={name}>
      <AppWindow size={15} aria-hidden />
      <div>
        <div className={classes.nameLine}>
          <span className={classes.name}>{name}</span>
          {current && <Badge tone="info">{t("settings.browsers.current")}</Badge>}
        </div>
        <p className={classes.text}>
          {t("settings.browsers.since")} <RelativeTime iso={since} /> · {t("settings.browsers.seen")}{" "}
          <RelativeTime iso={seen_at} />
        </p>
      </div>
      <Button
        leftSection={<LogOut size={13} aria-hidden />}
        aria-label={t("settings.browsers.removeOf", { name })}
        loading={remove.isPending}
        onClick={() => void logOut()}
      >
        {t("settings.browsers.remove")}
      </Button>
    </div>
  );
}
