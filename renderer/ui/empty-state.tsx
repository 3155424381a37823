import type { ReactNode } from "react";
import classes from "./empty-state.module.css";

/** What a page says while it has nothing to show: what would come here, and what fills it. */
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
