import type { ReactNode } from "react";
import { BodyView } from "./body-view.tsx";
import { useRaw } from "./use-raw.tsx";
import classes from "./raw-view.module.css";

/**
 * Switches between an object's view (`children`) and its JSON on the wire, by a button or the key `r`. `name` describes
 * the object.
 */
export function RawToggle({ value, name, children }: { value: unknown; name: string; children?: ReactNode }) {
  const { raw, rawButton } = useRaw(name);
  return (
    <div>
      <div className={classes.head}>{rawButton}</div>
      {raw ? (
        <BodyView text={JSON.stringify(value, null, 2) ?? "null"} mediaType="application/json" label={name} />
      ) : (
        children
      )}
    </div>
  );
}
