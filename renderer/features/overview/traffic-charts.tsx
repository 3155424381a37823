import { Link } from "@tanstack/react-router";
import { useMemo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Traffic } from "../../../server/contract/console/traffic/histogram.ts";
import { useFormats } from "../../i18n/formats-context.tsx";
import { LineChart } from "../../ui/charts/line-chart.tsx";
import { useTraffic } from "./use-activity.ts";
import classes from "./activity.module.css";

const height = 150;

/** The services' requests and their durations, over the last five minutes. */
export function TrafficCharts() {
  const { t } = useTranslation();
  const formats = useFormats();
  const { data: traffic } = useTraffic();
  const points = useMemo(() => (traffic ? pointsOf(traffic) : []), [traffic]);
  const last = points.at(-1);
  const rate = formats.rate(last?.rate ?? 0);
  const slowest = last?.p95 === null || last?.p95 === undefined ? "–" : formats.duration(last.p95);
  return (
    <>
      <Chart title={t("overview.rate")} now={traffic && rate}>
        <LineChart
          label={t("overview.rateNow", { rate })}
          height={height}
          points={points}
          lines={[
            { key: "rate", label: t("overview.calls"), tone: "info" },
            { key: "failed", label: t("overview.failed"), tone: "down" },
          ]}
          format={(value) => formats.rate(value)}
        />
      </Chart>
      <Chart title={t("overview.latency")} now={traffic && slowest}>
        <LineChart
          label={t("overview.latencyNow", { time: slowest })}
          height={height}
          points={points}
          lines={[
            { key: "p50", label: t("overview.half"), tone: "info" },
            { key: "p95", label: t("overview.most"), tone: "busy" },
          ]}
          format={(value) => formats.duration(value)}
        />
      </Chart>
    </>
  );
}

/** `now`: the newest value; undefined until it is known. */
function Chart({ title, now, children }: { title: string; now: string | undefined; children: ReactNode }) {
  return (
    <article className={classes.card} aria-label={title}>
      <header className={classes.head}>
        <h3>{title}</h3>
        {now !== undefined && (
          <Link to="/requests" className={classes.now}>
            {now}
          </Link>
        )}
      </header>
      {children}
    </article>
  );
}

/** Per second, without the unfinished step, which would look like a fall. */
const pointsOf = ({ step_ms, points }: Traffic) =>
  points.slice(0, -1).map(({ at, requests, failed, p50_ms, p95_ms }) => ({
    at,
    rate: (requests * 1000) / step_ms,
    failed: (failed * 1000) / step_ms,
    p50: p50_ms ?? null,
    p95: p95_ms ?? null,
  }));
