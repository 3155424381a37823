import { lazy, Suspense } from "react";
import type { TimeLinesProps } from "./time-lines.tsx";
import classes from "./line-chart.module.css";

const TimeLines = lazy(() => import("./time-lines.tsx").then((file) => ({ default: file.TimeLines })));

/** Values over time as lines. `label` describes them in words for users who cannot see them; `height` in pixels. */
export function LineChart({ label, height, ...lines }: TimeLinesProps & { label: string }) {
  return (
    <div role="img" aria-label={label} className={classes.chart} style={{ height }}>
      <Suspense>
        <TimeLines {...lines} height={height} />
      </Suspense>
    </div>
  );
}
