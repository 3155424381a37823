import { Tooltip } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { ServiceStatus } from "../../../server/contract/process/services.ts";
import { StateMark } from "../../ui/marks/state-mark.tsx";
import classes from "../bars/top-bar.module.css";

/** The states of all services; each mark links to the overview. `stale`: the states are the last known ones. */
export function ServiceDots({ services, stale }: { services: readonly ServiceStatus[]; stale: boolean }) {
  const { t } = useTranslation();
  return (
    <ul className={classes.dots} aria-label={t("top.services")} data-stale={stale}>
      {services.map(({ name, state, reason }) => {
        const label = t("service.dot", { name: t(`service.${name}`), state: t(`service.state.${state}`) });
        return (
          <li key={name}>
            <Tooltip label={reason === undefined ? label : `${label}. ${reason}`} multiline maw={320} openDelay={100}>
              <Link to="/" className={classes.dot} aria-label={label}>
                <StateMark state={state} />
              </Link>
            </Tooltip>
          </li>
        );
      })}
    </ul>
  );
}
