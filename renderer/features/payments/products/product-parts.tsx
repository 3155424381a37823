import { useFormats } from "../../../i18n/formats-context.tsx";
import type { ProductPart } from "./product.ts";
import { ProductState } from "./state-badge.tsx";
import classes from "./products.module.css";

/** Lines below an entry: receivers, packages, messages, deliveries. */
export function ProductParts({ title, parts }: { title: string; parts: readonly ProductPart[] }) {
  const formats = useFormats();
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul className={classes.parts}>
        {parts.map(({ at, state, text, note, fen }, index) => (
          <li key={index} className={classes.part}>
            <div className={classes.partHead}>
              {state !== undefined && <ProductState state={state} />}
              <span className={classes.partText}>{text}</span>
              {fen !== undefined && <b>{formats.money(fen)}</b>}
              {at !== undefined && <time dateTime={at}>{formats.clock(Date.parse(at))}</time>}
            </div>
            {note !== undefined && note !== "" && note !== text && <p className={classes.note}>{note}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}
