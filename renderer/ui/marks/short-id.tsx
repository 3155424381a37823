import { CopyButton } from "../code/copy-button.tsx";
import classes from "./short-id.module.css";

const longest = 14;

/** A long id, shortened in the middle; complete on hover and when copied. `name` describes what it identifies. */
export function ShortId({ value, name }: { value: string; name: string }) {
  return (
    <span className={classes.id}>
      <span className={classes.text} title={value}>
        {shorten(value)}
      </span>
      {/* Copying must not also open the row. */}
      <span className={classes.copy} onClick={(event) => event.stopPropagation()}>
        <CopyButton value={value} name={name} />
      </span>
    </span>
  );
}

const shorten = (value: string) => (value.length <= longest ? value : `${value.slice(0, 8)}…${value.slice(-4)}`);
