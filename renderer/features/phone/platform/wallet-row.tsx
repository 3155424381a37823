import type { ReactNode } from "react";
import classes from "./platform.module.css";

/** Subject and actions of the row; `below` takes the whole width. */
export function WalletRow(props: { title: string; note: string; children: ReactNode; below?: ReactNode }) {
  return (
    <li className={classes.row}>
      <span className={classes.about}>
        <strong>{props.title}</strong>
        <span className={classes.dim}>{props.note}</span>
      </span>
      <span className={classes.acts}>{props.children}</span>
      {props.below}
    </li>
  );
}
