import { memo, useRef, useState, type KeyboardEvent, type PointerEvent } from "react";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../i18n/formats-context.tsx";
import { TimeRangeMenu, type TimeRange } from "./time-range-menu.tsx";
import classes from "./time-histogram.module.css";

export interface TimeBars {
  step_ms: number;
  /** Sorted by time; `at` in milliseconds since 1970. */
  bars: readonly { at: number; count: number; failed: number }[];
}

/** Begin and end of a time, in milliseconds since 1970. */
type Span = readonly [from: number, to: number];

/**
 * Counts over time above a list. Dragging over the bars, or moving the two ends by arrow keys and Enter, narrows the list
 * to that time; a menu takes exact times. Memoized, because the list below changes far more often.
 */
export const TimeHistogram = memo(function TimeHistogram(props: {
  label: string;
  /** Undefined until it is known. */
  histogram: TimeBars | undefined;
  range: TimeRange;
  onRange: (range: TimeRange) => void;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { bars, step_ms } = props.histogram ?? empty;
  const plot = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<number>();
  const selection = useSelection({ bars, step_ms }, ([since, until]) =>
    props.onRange({ since: new Date(since).toISOString(), until: new Date(until).toISOString() }),
  );
  /** The begin of the bar under the pointer. */
  const timeAt = ({ clientX }: PointerEvent): number => {
    const box = plot.current?.getBoundingClientRect();
    const share = box && box.width > 0 ? (clientX - box.left) / box.width : 0;
    return selection.begin + Math.max(0, Math.min(bars.length - 1, Math.floor(share * bars.length))) * step_ms;
  };
  const bar = bars.find(({ at }) => at === pointed);
  const all = {
    count: bars.reduce((sum, { count }) => sum + count, 0),
    failed: bars.reduce((sum, { failed }) => sum + failed, 0),
  };
  const inWords = ({ count, failed }: { count: number; failed: number }) =>
    `${formats.number(count)}${failed > 0 ? ` · ${t("histogram.failed", { count: failed })}` : ""}`;

  return (
    <div className={classes.histogram} role="group" aria-label={props.label}>
      <div
        ref={plot}
        className={classes.plot}
        onPointerDown={(event) => {
          if (event.button !== 0 || bars.length === 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          selection.start(timeAt(event));
        }}
        onPointerMove={(event) => {
          const at = timeAt(event);
          setPointed(at);
          selection.drag(at);
        }}
        onPointerUp={selection.end}
        onPointerCancel={selection.cancel}
        onPointerLeave={() => setPointed(undefined)}
      >
        <Bars bars={bars} />
        <Ends count={bars.length} step_ms={step_ms} selection={selection} />
      </div>
      <div className={classes.axis}>
        <span>{bars[0] && formats.moment(bars[0].at)}</span>
        <span className={classes.reported} data-failed={bar !== undefined && bar.failed > 0}>
          {bar ? `${formats.span(bar.at, bar.at + step_ms)} · ${inWords(bar)}` : props.histogram && inWords(all)}
        </span>
        <TimeRangeMenu range={props.range} onRange={props.onRange} />
      </div>
    </div>
  );
});

/** The selected time, and its two ends, which arrow keys move. */
function Ends({ count, step_ms, selection }: { count: number; step_ms: number; selection: Selection }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { begin, last, chosen, from, to } = selection;
  const place = (at: number) => `${Math.max(0, Math.min(100, ((at - begin) / (last - begin)) * 100))}%`;
  return (
    <>
      {chosen && <span className={classes.chosen} style={{ left: place(from), right: `calc(100% - ${place(to)})` }} />}
      {count > 0 &&
        (["from", "to"] as const).map((which) => {
          const at = which === "from" ? from : to;
          return (
            <span
              key={which}
              role="slider"
              tabIndex={0}
              className={classes.end}
              style={{ left: place(at) }}
              data-end={which}
              aria-label={t(`histogram.${which}`)}
              aria-description={t("histogram.keys")}
              aria-valuemin={0}
              aria-valuemax={count}
              aria-valuenow={Math.round((at - begin) / step_ms)}
              aria-valuetext={formats.moment(at)}
              onKeyDown={(event) => selection.press(which, event)}
            />
          );
        })}
    </>
  );
}

type Selection = ReturnType<typeof useSelection>;

/** A selection of whole bars, by dragging or by keys. `onApply` receives it when it is finished. */
function useSelection({ bars, step_ms }: TimeBars, onApply: (span: Span) => void) {
  /** The time where the drag began; undefined while there is none. */
  const [begun, setBegun] = useState<number>();
  const [chosen, setChosen] = useState<Span>();
  const begin = bars[0]?.at ?? 0;
  const last = begin + Math.max(1, bars.length) * step_ms;
  const [from, to] = chosen ?? [begin, last];
  const cancel = () => {
    setBegun(undefined);
    setChosen(undefined);
  };
  const apply = (span: Span) => {
    cancel();
    onApply(span);
  };
  const move = (which: "from" | "to", by: number) => {
    if (which === "from") setChosen([Math.max(begin, Math.min(from + by, to - step_ms)), to]);
    else setChosen([from, Math.min(last, Math.max(to + by, from + step_ms))]);
  };
  return {
    ...{ begin, last, chosen, from, to, cancel },
    start: (at: number) => {
      setBegun(at);
      setChosen([at, at + step_ms]);
    },
    drag: (at: number) => {
      if (begun !== undefined) setChosen([Math.min(begun, at), Math.max(begun, at) + step_ms]);
    },
    end: () => {
      if (chosen && begun !== undefined) apply(chosen);
    },
    press: (which: "from" | "to", event: KeyboardEvent) => {
      const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 };
      const by = (steps[event.key] ?? 0) * step_ms;
      if (by !== 0) {
        event.preventDefault();
        move(which, by);
      } else if (event.key === "Enter" && chosen) apply(chosen);
      else if (event.key === "Escape" && chosen) {
        event.preventDefault();
        event.stopPropagation();
        cancel();
      }
    },
  };
}

const empty: TimeBars = { step_ms: 1_000, bars: [] };
const height = 100;

/** Each count is at least visible, however large the others are. */
function Bars({ bars }: Pick<TimeBars, "bars">) {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const size = (count: number) => (count === 0 ? 0 : Math.max(5, (count / most) * height));
  return (
    <svg viewBox={`0 0 ${Math.max(1, bars.length)} ${height}`} preserveAspectRatio="none" aria-hidden>
      {bars.map(({ at, count, failed }, index) => (
        <g key={at}>
          <rect x={index + 0.1} width={0.8} y={height - size(count)} height={size(count)} />
          {failed > 0 && (
            <rect
              data-failed
              x={index + 0.1}
              width={0.8}
              y={height - Math.min(size(count), size(failed))}
              height={Math.min(size(count), size(failed))}
            />
          )}
        </g>
      ))}
    </svg>
  );
}
