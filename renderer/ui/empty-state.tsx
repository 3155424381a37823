import type { ReactNode } from "react";
import classes from "./empty-state.module.css";

/** Shown while a page has no content: explains what appears here, and how. */
export function EmptyState(props: { icon: ReactNode; title: string; text: string; children?: ReactNode }) {
  return (
    <div className={classes.empty}>
      <div className={classes.icon}>{props.icon}</div>
      <h2 className={classes.title}>{props.title}</h2>
      <p className={classes.text}>{props.text}</p>
      {props.children !== undefined && <div className={classes.more}>{props.children}</div>}
    </div>
  );
}
