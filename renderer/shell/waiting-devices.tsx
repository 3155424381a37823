import { ActionIcon, Button } from "@mantine/core";
import { Link, useLocation } from "@tanstack/react-router";
import { Smartphone, X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { LanDevice } from "../../server/contract/console/machine/lan-access-endpoints.ts";
import { useDeviceActions } from "../api/queries/use-lan-access.ts";
import classes from "./shell.module.css";

/** Says on every page but their own that a device of the local network waits, and lets it in. */
export function WaitingDevices({ devices }: { devices: readonly LanDevice[] }) {
  const { t } = useTranslation();
  const { admit } = useDeviceActions();
  const isOnPage = useLocation({ select: ({ pathname }) => pathname === "/devices" });
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());
  const [first, ...others] = devices.filter(({ id }) => !dismissed.has(id));
  if (!first || isOnPage) return null;
  const name = [first.name, first.address, first.id].filter((text) => text !== "").join(" · ");
  return (
    <div className={classes.asking} role="status">
      <Smartphone size={15} aria-hidden />
      <span>{t("deviceWaits.text", { name })}</span>
      <Button variant="filled" onClick={() => admit(first.id)}>
        {t("deviceWaits.admit")}
      </Button>
      <Button renderRoot={(props) => <Link to="/devices" {...props} />}>
        {others.length === 0 ? t("nav.devices") : t("deviceWaits.more", { count: others.length })}
      </Button>
      <ActionIcon
        aria-label={t("common.close")}
        onClick={() => setDismissed(new Set([...dismissed, ...devices.map(({ id }) => id)]))}
      >
        <X size={14} aria-hidden />
      </ActionIcon>
    </div>
  );
}
