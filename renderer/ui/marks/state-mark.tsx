import type { ServiceState } from "../../../server/contract/process/services.ts";
import classes from "./state-mark.module.css";

/** A service's state as a small mark: a distinct shape per state, so that colour is never the only sign. */
export function StateMark({ state }: { state: ServiceState }) {
  return (
    <svg className={classes.mark} data-state={state} viewBox="0 0 12 12" width="10" height="10" aria-hidden>
      {shapes[state]}
    </svg>
  );
}

const ring = <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" strokeWidth="2" />;
const dashedRing = (
  <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" strokeWidth="2.4" strokeDasharray="4.2 2.1" />
);
const shapes: Record<ServiceState, React.ReactNode> = {
  up: <circle cx="6" cy="6" r="5" fill="currentColor" />,
  starting: dashedRing,
  restarting: dashedRing,
  down: <path d="M2 2 10 10 M10 2 2 10" stroke="currentColor" strokeWidth="2.6" strokeLinecap="round" />,
  external: <path d="M6 .5 11.5 6 6 11.5 .5 6Z" fill="currentColor" />,
  stopped: ring,
};
