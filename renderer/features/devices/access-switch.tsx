import { Checkbox, Select, Switch } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { lanServiceSchema, type LanAccessView } from "../../../server/contract/console/machine/lan-access-endpoints.ts";
import { useChangeLanAccess } from "../../api/queries/use-lan-access.ts";
import { Notice } from "../../ui/dialogs/notice.tsx";
import classes from "./devices.module.css";

/** Whether devices reach Hearth, by which network, and which of its services. */
export function AccessSwitch({ access }: { access: LanAccessView }) {
  const { t } = useTranslation();
  const change = useChangeLanAccess();
  const { enabled, interfaces, services } = access;
  // The one that is chosen may be gone just now.
  const chosen = access.interface ?? interfaces[0]?.name;
  const names = new Set([...interfaces.map(({ name }) => name), ...(chosen === undefined ? [] : [chosen])]);
  const labelOf = (name: string) => {
    const found = interfaces.find((one) => one.name === name);
    return found ? `${name} · ${found.address}` : t("devices.gone", { name });
  };
  return (
    <section className={classes.group} aria-labelledby="devices-switch">
      <h2 id="devices-switch">{t("devices.network")}</h2>
      <p className={classes.text}>{t("devices.about")}</p>
      {interfaces.length === 0 && <Notice kind="info">{t("devices.noNetwork")}</Notice>}
      <Switch
        checked={enabled}
        disabled={change.isPending || (!enabled && interfaces.length === 0)}
        label={t("devices.enabled")}
        onChange={(event) => change.mutate({ enabled: event.currentTarget.checked })}
      />
      <div className={classes.fields}>
        <Select
          label={t("devices.interface")}
          data={[...names].map((name) => ({ value: name, label: labelOf(name) }))}
          value={chosen ?? null}
          allowDeselect={false}
          disabled={change.isPending || names.size === 0}
          comboboxProps={{ transitionProps: { duration: 100 } }}
          onChange={(name) => name !== null && change.mutate({ interface: name })}
        />
        <Checkbox.Group
          label={t("devices.services")}
          value={services}
          onChange={(next) => next.length > 0 && change.mutate({ services: next })}
        >
          <div className={classes.services}>
            {lanServiceSchema.options.map((service) => (
              <Checkbox
                key={service}
                value={service}
                label={t(`devices.service.${service}`)}
                disabled={change.isPending || (services.length === 1 && services[0] === service)}
              />
            ))}
          </div>
        </Checkbox.Group>
      </div>
    </section>
  );
}
