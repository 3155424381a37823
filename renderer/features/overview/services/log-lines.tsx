import { useMemo } from "react";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { parseLogLine } from "./log-line.ts";
import classes from "./log-dialog.module.css";

/** The lines of a log: time, level, message, and the other members in a muted colour. */
export function LogLines({ lines }: { lines: readonly string[] }) {
  const formats = useFormats();
  const entries = useMemo(() => lines.map(parseLogLine), [lines]);
  return entries.map(({ time, level, message, fields, stack }, index) => (
    <div key={index} className={classes.line} data-level={level}>
      {time !== undefined && (
        <time dateTime={time} title={formats.exact(time)} className={classes.quiet}>
          {formats.clock(Date.parse(time))}
        </time>
      )}
      {level !== undefined && <span className={classes.level}>{level}</span>}
      <span className={classes.message}>
        {message}
        {fields.map(({ name, value }) => (
          <span key={name} className={classes.quiet}>
            {" "}
            {name}={value}
          </span>
        ))}
        {stack !== undefined && <span className={classes.stack}>{stack}</span>}
      </span>
    </div>
  ));
}
