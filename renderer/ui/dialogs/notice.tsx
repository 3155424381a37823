import { CircleAlert, Info } from "lucide-react";
import type { ReactNode } from "react";
import classes from "./notice.module.css";

/** A sentence shown where it applies: a problem or information, and what to do. `action`: a button that does it. */
export function Notice(props: { kind: "error" | "info"; action?: ReactNode; children: ReactNode }) {
  const Icon = props.kind === "error" ? CircleAlert : Info;
  return (
    <div className={classes.notice} data-kind={props.kind} role={props.kind === "error" ? "alert" : "status"}>
      <Icon size={15} className={classes.icon} aria-hidden />
      <div className={classes.text}>{props.children}</div>
      {props.action}
    </div>
  );
}
