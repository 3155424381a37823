import { Button, Switch } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { noticeKindSchema } from "../../../server/contract/console/machine/desktop.ts";
import { hearthWindow } from "../../api/desktop/hearth-window.ts";
import { useChangeDesktop, useDesktop } from "../../api/desktop/use-desktop.ts";
import { useShowFailure } from "../../api/actions/use-show-failure.ts";
import { languageTag } from "../../i18n/languages.ts";
import { Segmented } from "../../ui/forms/segmented.tsx";
import { QueryFailure } from "../../ui/dialogs/query-failure.tsx";
import classes from "./settings.module.css";

/** The settings of the desktop program; empty in a browser. */
export function DesktopSection() {
  const { t, i18n } = useTranslation();
  const query = useDesktop();
  const desktop = query.data;
  const { mutate } = useChangeDesktop();
  const onError = useShowFailure();
  const change = (part: Parameters<typeof mutate>[0]) => mutate(part, { onError });
  if (!desktop) return <QueryFailure query={query} />;
  const toMinute = (iso: string) =>
    new Date(iso).toLocaleString(languageTag(i18n.language), { dateStyle: "long", timeStyle: "short" });
  const { onClose, openAtLogin, notify, hasTray, canOpenAtLogin, wayBack } = desktop;
  return (
    <section aria-labelledby="settings-desktop" className={classes.group}>
      <h2 id="settings-desktop">{t("settings.desktop.title")}</h2>
      <Row
        name={t("settings.desktop.onClose")}
        hint={t(hasTray ? "settings.desktop.onCloseHint" : "settings.desktop.noTray")}
      >
        {hasTray && (
          <Segmented
            label={t("settings.desktop.onClose")}
            value={onClose}
            choices={(["ask", "keep", "quit"] as const).map((value) => ({
              value,
              label: t(`settings.desktop.close.${value}`),
            }))}
            onChange={(value) => change({ onClose: value })}
          />
        )}
      </Row>
      {canOpenAtLogin && (
        <Row name={t("settings.desktop.openAtLogin")} hint={t("settings.desktop.openAtLoginHint")}>
          <Switch
            aria-label={t("settings.desktop.openAtLogin")}
            checked={openAtLogin}
            onChange={(event) => change({ openAtLogin: event.currentTarget.checked })}
          />
        </Row>
      )}
      <Row name={t("settings.desktop.notify")} hint={t("settings.desktop.notifyHint")}>
        <div className={classes.switches}>
          {noticeKindSchema.options.map((kind) => (
            <Switch
              key={kind}
              label={t(`settings.desktop.kind.${kind}`)}
              checked={notify[kind]}
              onChange={(event) => change({ notify: { ...notify, [kind]: event.currentTarget.checked } })}
            />
          ))}
        </div>
      </Row>
      {wayBack && (
        <Row
          name={t("settings.desktop.wayBack", { version: wayBack.version })}
          hint={t("settings.desktop.wayBackHint", { time: toMinute(wayBack.time) })}
        >
          <Button variant="default" size="xs" onClick={() => void hearthWindow?.offerWayBack()}>
            {t("settings.desktop.goBack")}
          </Button>
        </Row>
      )}
    </section>
  );
}

function Row({ name, hint, children }: { name: string; hint: string; children: ReactNode }) {
  return (
    <div className={classes.row} role="group" aria-label={name}>
      <div>
        <span className={classes.name}>{name}</span>
        <p className={classes.text}>{hint}</p>
      </div>
      <div>{children}</div>
    </div>
  );
}
