import { Button } from "@mantine/core";
import type { ActionsLog } from "./use-actions-log.ts";

/** One thing that can be done; while something is under way, nothing else is begun. */
export function Control(props: {
  label: string;
  log: ActionsLog;
  disabled?: boolean;
  primary?: boolean;
  /** What it does, or when it can be done; shown on hover. */
  hint?: string;
  onRun: () => void;
}) {
  const { label, log } = props;
  return (
    <Button
      loading={log.running === label}
      disabled={(props.disabled ?? false) || (log.running !== undefined && log.running !== label)}
      variant={props.primary ? "filled" : "default"}
      {...(props.hint !== undefined && { title: props.hint })}
      onClick={props.onRun}
    >
      {label}
    </Button>
  );
}
