import { useRef, useState, type PointerEvent } from "react";
import { useFormats } from "../../i18n/formats-context.tsx";
import type { Tone } from "../marks/badge.tsx";
import { linePath, roundMaximum } from "./line-path.ts";
import classes from "./line-chart.module.css";

export interface TimeLine {
  /** The member of each point that holds the value. */
  key: string;
  label: string;
  tone: Tone;
}

type Point = { at: number } & Record<string, number | null>;

/**
 * Values over time as lines. `label` describes them in words for users who cannot see them; `points`: sorted by time, `at`
 * in milliseconds since 1970, a null member is a gap in its line; `format`: a value for the axis and under the pointer;
 * `height` in pixels.
 */
export function LineChart(props: {
  label: string;
  points: readonly Point[];
  lines: readonly TimeLine[];
  format: (value: number) => string;
  height: number;
}) {
  const { points, lines, format } = props;
  const formats = useFormats();
  const plot = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<number>();
  const most = roundMaximum(points.flatMap((point) => lines.map(({ key }) => point[key] ?? 0)));
  const [first, last] = [points[0], points.at(-1)];
  const current = pointed === undefined ? undefined : points[pointed];
  const share = (at: number) => (first && last && last.at > first.at ? (at - first.at) / (last.at - first.at) : 0);
  const point = ({ clientX }: PointerEvent) => {
    const box = plot.current?.getBoundingClientRect();
    const along = box && box.width > 0 ? (clientX - box.left) / box.width : 0;
    setPointed(Math.max(0, Math.min(points.length - 1, Math.round(along * (points.length - 1)))));
  };
  return (
    <div role="img" aria-label={props.label} className={classes.chart} style={{ height: props.height }}>
      <div className={classes.legend}>
        {current && <span className={classes.time}>{formats.clock(current.at)}</span>}
        {lines.map(({ key, label, tone }) => (
          <span key={key} className={classes.name} data-tone={tone}>
            {label}
            {current && <b>{current[key] === null || current[key] === undefined ? "–" : format(current[key])}</b>}
          </span>
        ))}
      </div>
      <div className={classes.axis}>
        {[most, most / 2, 0].map((value) => (
          <span key={value}>{format(value)}</span>
        ))}
      </div>
      <div ref={plot} className={classes.plot} onPointerMove={point} onPointerLeave={() => setPointed(undefined)}>
        <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden>
          {lines.map(({ key, tone }, index) => (
            <path
              key={key}
              data-tone={tone}
              data-dashes={index}
              d={linePath(
                points.map((one) => ({ x: share(one.at), y: one[key] ?? null })),
                most,
              )}
            />
          ))}
        </svg>
        {current && <span className={classes.pointer} style={{ insetInlineStart: `${share(current.at) * 100}%` }} />}
      </div>
      <div className={classes.times}>
        {first &&
          last &&
          [first.at, (first.at + last.at) / 2, last.at].map((at) => <span key={at}>{formats.clock(at)}</span>)}
      </div>
    </div>
  );
}
