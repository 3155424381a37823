import { Button } from "@mantine/core";
import type { ActionsLog } from "./use-actions-log.ts";

/** One action; while another one is running, it is disabled. */
export function ActionControl(props: {
  label: string;
  log: ActionsLog;
  disabled?: boolean;
  primary?: boolean;
  /** Explains the action, or when it is possible; visible on hover. */
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
