import { Button, Switch } from "@mantine/core";
import { Check, Smartphone, X } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { LanAccessView, LanDevice } from "../../../server/contract/console/machine/lan-access-endpoints.ts";
import { useChangeLanAccess, useDeviceActions } from "../../api/queries/use-lan-access.ts";
import { RelativeTime } from "../../ui/marks/relative-time.tsx";
import classes from "./devices.module.css";

/** Devices that wait, each with a click to let it in, and those that are in. */
export function DeviceList({ access }: { access: LanAccessView }) {
  const { t } = useTranslation();
  const change = useChangeLanAccess();
  const { admit, remove } = useDeviceActions();
  const { waiting, devices, everyone } = access;
  return (
    <>
      <section className={classes.group} aria-labelledby="devices-waiting">
        <h2 id="devices-waiting">{t(everyone ? "devices.passing" : "devices.waiting")}</h2>
        <Switch
          checked={everyone}
          disabled={change.isPending}
          label={t("devices.everyone")}
          description={t("devices.everyoneHint")}
          onChange={(event) => change.mutate({ everyone: event.currentTarget.checked })}
        />
        {waiting.length === 0 ? (
          <p className={classes.text}>{t("devices.nobodyWaits")}</p>
        ) : (
          <ul className={classes.devices} aria-live="polite">
            {waiting.map((device) => (
              <DeviceRow key={device.id} device={device}>
                <Button
                  variant="filled"
                  leftSection={<Check size={13} aria-hidden />}
                  aria-label={t("devices.admitName", { name: device.id })}
                  onClick={() => admit(device.id)}
                >
                  {t("devices.admit")}
                </Button>
              </DeviceRow>
            ))}
          </ul>
        )}
      </section>
      <section className={classes.group} aria-labelledby="devices-in">
        <h2 id="devices-in">{t("devices.in")}</h2>
        {devices.length === 0 ? (
          <p className={classes.text}>{t("devices.nobodyIn")}</p>
        ) : (
          <ul className={classes.devices}>
            {devices.map((device) => (
              <DeviceRow key={device.id} device={device}>
                <Button
                  leftSection={<X size={13} aria-hidden />}
                  aria-label={t("devices.removeName", { name: device.id })}
                  onClick={() => remove(device.id)}
                >
                  {t("devices.remove")}
                </Button>
              </DeviceRow>
            ))}
          </ul>
        )}
      </section>
    </>
  );
}

function DeviceRow({ device, children }: { device: LanDevice; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <li>
      <Smartphone size={16} aria-hidden />
      <div className={classes.device}>
        <span>{device.name === "" ? t("devices.unnamed") : device.name}</span>
        <span className={classes.dim}>
          <code>{device.id}</code> · {device.address === "" ? t("devices.noAddress") : <code>{device.address}</code>} ·{" "}
          <RelativeTime iso={device.seen_at} />
        </span>
      </div>
      {children}
    </li>
  );
}
