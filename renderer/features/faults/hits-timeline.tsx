import { useTranslation } from "react-i18next";
import type { Traffic } from "../../../server/contract/console/traffic/histogram.ts";
import classes from "./questions/questions.module.css";

const width = 300;
const height = 28;

/** The hits of a fault over the requests of the last minutes: bars are requests, marks are hits. */
export function HitsTimeline({ traffic, hits }: { traffic: Traffic; hits: readonly string[] }) {
  const { t } = useTranslation();
  const { points, step_ms } = traffic;
  const first = points[0]?.at ?? 0;
  const span = points.length * step_ms;
  if (span === 0) return null;
  const most = Math.max(1, ...points.map(({ requests }) => requests));
  const within = hits.map((hit) => Date.parse(hit) - first).filter((ms) => ms >= 0);
  const barWidth = width / points.length;
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className={classes.timeline}
      role="img"
      aria-label={t("faults.timeline", { count: within.length, minutes: Math.round(span / 60_000) })}
    >
      {points.map(({ at, requests }, index) => (
        <rect
          key={at}
          className={classes.requests}
          x={index * barWidth}
          width={Math.max(0.5, barWidth - 0.6)}
          y={height - (requests / most) * (height - 8)}
          height={(requests / most) * (height - 8)}
        />
      ))}
      {within.map((ms, index) => (
        <rect
          key={index}
          className={classes.mark}
          x={Math.min(width - 2, (ms / span) * width)}
          width={2}
          y={0}
          height={height}
        />
      ))}
      <line x1={0} x2={width} y1={height - 0.5} y2={height - 0.5} className={classes.base} />
    </svg>
  );
}
