import type { ReactNode } from "react";
import classes from "./controls.module.css";

/** The actions of one side. */
export function ControlGroup(props: { title: string; hint?: string; children: ReactNode }) {
  return (
    <section className={classes.group} aria-label={props.title}>
      <h3>{props.title}</h3>
      {props.hint !== undefined && <p className={classes.text}>{props.hint}</p>}
      <div className={classes.row}>{props.children}</div>
    </section>
  );
}
