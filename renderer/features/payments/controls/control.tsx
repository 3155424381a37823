import { Button } from "@mantine/core";
import type { ActionsLog } from "./use-actions-log.ts";

/** One thing that can be done; while something is under way, nothing else is begun. */
export function Control(props: {
  label: string;
  log: ActionsLog;
  disabled?: boolean;
  primary?: boolean;
  onRun: () => void;
}) {
  const { label, log } = props;
  return (
    <Button
      loading={log.running === label}
      disabled={(props.disabled ?? false) || (log.running !== undefined && log.running !== label)}
      variant={props.primary ? "filled" : "default"}
      onClick={props.onRun}
    >
      {label}
    </Button>
  );
}
