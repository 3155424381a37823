import { ActionIcon, UnstyledButton } from "@mantine/core";
import { useLocation } from "@tanstack/react-router";
import { ChevronRight, Menu as MenuIcon, Search } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ServiceStatus } from "../../../server/contract/process/services.ts";
import type { Connection } from "../../api/events/event-source.ts";
import { ShortcutKeys } from "../../ui/keyboard/keys.tsx";
import { ArmedFaultsNotice } from "../armed-faults.tsx";
import { LiveStatus } from "../live-status.tsx";
import { allPages } from "../sidebar/nav-items.ts";
import { LanguageSwitch, ThemeSwitch } from "../choices/preferences.tsx";
import { ServiceDots } from "../sidebar/service-dots.tsx";
import classes from "./top-bar.module.css";

export function TopBar(props: {
  services: readonly ServiceStatus[];
  connection: Connection;
  onOpenPalette: () => void;
  /** Present if the sidebar is hidden. */
  onOpenMenu: (() => void) | undefined;
}) {
  const { t } = useTranslation();
  return (
    <header className={classes.bar}>
      {props.onOpenMenu && (
        <ActionIcon aria-label={t("nav.open")} onClick={props.onOpenMenu}>
          <MenuIcon size={17} aria-hidden />
        </ActionIcon>
      )}
      <WhereIAm />
      <div className={classes.right}>
        <UnstyledButton className={classes.palette} onClick={props.onOpenPalette}>
          <Search size={13} aria-hidden />
          <span className={classes.paletteText}>{t("palette.short")}</span>
          <span className={classes.paletteKeys} aria-hidden>
            <ShortcutKeys keys="mod+k" />
          </span>
        </UnstyledButton>
        <ArmedFaultsNotice />
        <LiveStatus connection={props.connection} />
        <ServiceDots services={props.services} stale={props.connection === "reconnecting"} />
        <LanguageSwitch />
        <ThemeSwitch />
      </div>
    </header>
  );
}

function WhereIAm() {
  const { t } = useTranslation();
  const pathname = useLocation({ select: (location) => location.pathname });
  const page = allPages.find(({ item }) => item.to === pathname);
  if (!page) return <div className={classes.where} />;
  return (
    <div className={classes.where}>
      <span className={classes.group}>{t(`nav.${page.group}`)}</span>
      <ChevronRight size={13} className={classes.group} aria-hidden />
      <span>{t(`nav.${page.item.label}`)}</span>
    </div>
  );
}
