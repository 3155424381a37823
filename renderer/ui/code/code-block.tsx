import { CopyButton } from "./copy-button.tsx";
import classes from "./code-block.module.css";

/** A command or snippet to take along; without a `name` it is only to be read. */
export function CodeBlock({ code, name }: { code: string; name?: string }) {
  return (
    <div className={classes.block}>
      <pre className={classes.code}>
        <code>{code}</code>
      </pre>
      {name !== undefined && (
        <div className={classes.copy}>
          <CopyButton value={code} name={name} />
        </div>
      )}
    </div>
  );
}
