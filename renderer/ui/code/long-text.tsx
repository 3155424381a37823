import { useMemo, useState } from "react";
import { withBrokenRuns } from "./bounded-text.ts";
import { RestButton } from "./rest-button.tsx";
import classes from "./long-text.module.css";

const initialLength = 20_000;
const moreLength = 200_000;

/** A foreign text with its lines. Its beginning is shown, and the rest on demand. */
export function LongText({ text }: { text: string }) {
  const [most, setMost] = useState(initialLength);
  const visible = useMemo(() => withBrokenRuns(text.slice(0, most)), [text, most]);
  return (
    <span className={classes.text}>
      {visible}
      {text.length > most && (
        <RestButton characters={text.length - most} onClick={() => setMost((before) => before + moreLength)} />
      )}
    </span>
  );
}
