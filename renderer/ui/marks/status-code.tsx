import type { ReactNode } from "react";
import classes from "./status-code.module.css";

/** An HTTP status; each class has its own colour and shape. Absent or 0: no answer. */
export function StatusCode({ status }: { status: number | undefined }) {
  const answered = status !== undefined && status > 0;
  const kind = answered ? String(Math.floor(status / 100)) : "none";
  return (
    <span className={classes.status} data-class={kind}>
      <svg viewBox="0 0 12 12" width="9" height="9" aria-hidden>
        {shapes[kind] ?? ring}
      </svg>
      {answered ? status : "–"}
    </span>
  );
}

const ring = <circle cx="6" cy="6" r="4.5" fill="none" stroke="currentColor" strokeWidth="1.8" />;
const shapes: Record<string, ReactNode> = {
  2: <circle cx="6" cy="6" r="5" fill="currentColor" />,
  3: <path d="M1 6h8M6 2.2 9.8 6 6 9.8" stroke="currentColor" strokeWidth="2.2" fill="none" />,
  4: <path d="M6 .8 11.6 11H.4Z" fill="currentColor" />,
  5: <path d="M2 2 10 10 M10 2 2 10" stroke="currentColor" strokeWidth="2.6" strokeLinecap="round" />,
};
