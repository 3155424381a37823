import type { ReactNode } from "react";
import { LongText } from "../code/long-text.tsx";
import classes from "./fields.module.css";

/** Names and values in two columns. `wire`: a value as on the wire, in monospace. */
export function Fields({ items }: { items: { name: string; value: ReactNode; wire?: boolean }[] }) {
  return (
    <dl className={classes.fields}>
      {items.map(({ name, value, wire }) => (
        <div key={name} className={classes.field}>
          <dt className={classes.name}>{name}</dt>
          <dd className={classes.value} data-wire={wire ?? false}>
            {typeof value === "string" ? <LongText text={value} /> : value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
