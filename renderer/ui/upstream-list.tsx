import { CircleCheck, CircleDashed, CircleX, type LucideIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Upstream } from "../../server/contract/model/upstreams.ts";
import { Badge, type BadgeStyle } from "./marks/badge.tsx";
import classes from "./upstream-list.module.css";

const styles: Record<Upstream["state"], BadgeStyle & { icon: LucideIcon }> = {
  up: { tone: "up", icon: CircleCheck },
  down: { tone: "down", icon: CircleX },
  unknown: { tone: "neutral", icon: CircleDashed },
};

/** Servers that run models: name and address, whether each answers, and how much it has to do. */
export function UpstreamList({ upstreams, label }: { upstreams: readonly Upstream[]; label: string }) {
  const { t } = useTranslation();
  return (
    <ul className={classes.list} aria-label={label}>
      {upstreams.map(({ name, url, state, reason, in_flight: count }) => (
        <li key={url} className={classes.item}>
          <div className={classes.line}>
            <span className={classes.name}>{name}</span>
            <Badge tone={styles[state].tone} icon={styles[state].icon}>
              {t(`upstreams.state.${state}`)}
            </Badge>
            <span className={classes.busy}>{t("upstreams.inFlight", { count })}</span>
          </div>
          <code className={classes.url} title={url}>
            {url}
          </code>
          {reason !== undefined && <p className={classes.reason}>{reason}</p>}
        </li>
      ))}
    </ul>
  );
}
