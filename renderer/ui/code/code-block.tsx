import { CopyButton } from "./copy-button.tsx";
import { LongText } from "./long-text.tsx";
import classes from "./code-block.module.css";

/** A command or snippet to copy; without a `name` it is read-only and has no copy button. */
export function CodeBlock({ code, name }: { code: string; name?: string }) {
  return (
    <div className={classes.block}>
      <pre className={classes.code}>
        <code>
          <LongText text={code} />
        </code>
      </pre>
      {name !== undefined && (
        <div className={classes.copy}>
          <CopyButton value={code} name={name} />
        </div>
      )}
    </div>
  );
}
