import { useTranslation } from "react-i18next";
import type { LanAccessView } from "../../../server/contract/console/machine/lan-access-endpoints.ts";
import { portOf } from "../../../server/contract/own-url.ts";
import { CodeBlock } from "../../ui/code/code-block.tsx";
import { firewallCommands } from "./firewall-commands.ts";
import classes from "./devices.module.css";

/** Explains how to let devices through the system's firewall. */
export function FirewallHint({ access }: { access: LanAccessView }) {
  const { t } = useTranslation();
  const system = access.platform === "darwin" || access.platform === "win32" ? access.platform : "linux";
  const ports = access.listeners.flatMap(({ url }) => (url === undefined ? [] : [portOf(url)]));
  if (ports.length === 0) return null;
  return (
    <section className={classes.group} aria-labelledby="devices-firewall">
      <h2 id="devices-firewall">{t("devices.firewall")}</h2>
      <p className={classes.text}>{t(`devices.firewallOn.${system}`)}</p>
      {firewallCommands(system, ports, access.interface ?? "").map(({ name, command }) => (
        <div key={name} className={classes.command}>
          <span className={classes.dim}>{name}</span>
          <CodeBlock code={command} name={name} />
        </div>
      ))}
    </section>
  );
}
