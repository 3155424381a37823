import { VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./page.module.css";

/**
 * The frame of a page. The top bar shows its name; the heading is for navigation by headings. `note` and `controls`
 * form a row above the content; `fill`: the content scrolls by itself.
 */
export function Page(props: {
  title: string;
  note?: ReactNode;
  controls?: ReactNode;
  fill?: boolean;
  children: ReactNode;
}) {
  return (
    <div className={classes.page} data-fill={props.fill ?? false}>
      <VisuallyHidden component="h1">{props.title}</VisuallyHidden>
      {(props.note !== undefined || props.controls !== undefined) && (
        <div className={classes.header}>
          {props.note !== undefined && <span className={classes.note}>{props.note}</span>}
          <div className={classes.controls}>{props.controls}</div>
        </div>
      )}
      <div className={classes.body}>{props.children}</div>
    </div>
  );
}
