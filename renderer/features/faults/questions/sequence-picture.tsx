import { useTranslation } from "react-i18next";
import type { FaultSequence, SequenceStep } from "./sequence.ts";
import classes from "./sequence-picture.module.css";

const width = 280;
const top = 26;
const rowHeight = 26;
/** Shorter sequences leave room, so that most cards are alike. */
const leastRows = 3;

/** A sequence diagram: actors as lines, messages as arrows from the top down. The text beside it says the same. */
export function SequencePicture({ sequence: { actors, steps } }: { sequence: FaultSequence }) {
  const { t } = useTranslation();
  const margin = 44;
  const height = top + 10 + Math.max(leastRows, steps.length) * rowHeight;
  const at = (actor: SequenceStep["from"]) =>
    margin + (actors.indexOf(actor) * (width - 2 * margin)) / Math.max(1, actors.length - 1);
  return (
    <svg viewBox={`0 0 ${width} ${height}`} className={classes.picture} aria-hidden>
      {actors.map((actor) => (
        <g key={actor}>
          <text x={at(actor)} y={11} className={classes.actor}>
            {t(`faults.actors.${actor}`)}
          </text>
          <line x1={at(actor)} x2={at(actor)} y1={18} y2={height - 4} className={classes.life} />
        </g>
      ))}
      {steps.map((step, index) => (
        <Arrow key={index} step={step} from={at(step.from)} to={at(step.to)} y={top + rowHeight * (index + 0.75)} />
      ))}
    </svg>
  );
}

function Arrow({ step, from, to, y }: { step: SequenceStep; from: number; to: number; y: number }) {
  const { label, fault } = step;
  const way = Math.sign(to - from);
  // A lost message ends on its way, a late one arrives lower than it began.
  const end = fault === "lost" ? from + (to - from) * 0.6 : to - way * 2;
  const drop = fault === "late" ? 12 : 0;
  const head = (x: number, at: number) => `M${x - way * 6},${at - 3.5} L${x},${at} L${x - way * 6},${at + 3.5}`;
  return (
    <g className={classes.step} data-fault={fault ?? "none"}>
      <text x={(from + (fault === "lost" ? end - way * 6 : to)) / 2} y={y - 5} className={classes.label}>
        {label}
      </text>
      <line x1={from} y1={y} x2={end} y2={y + drop} />
      {fault === "lost" ? <path d={`M${end - 4},${y - 4} l8,8 m0,-8 l-8,8`} /> : <path d={head(end, y + drop)} />}
    </g>
  );
}
