import { useMemo, useState } from "react";
import { withBrokenRuns } from "./bounded-text.ts";
import { RestButton } from "./rest-button.tsx";
import classes from "./long-text.module.css";

const shownFirst = 20_000;
const shownMore = 200_000;

/** A foreign text with its lines. Its beginning is shown, and the rest on demand. */
export function LongText({ text }: { text: string }) {
  const [most, setMost] = useState(shownFirst);
  const shown = useMemo(() => withBrokenRuns(text.slice(0, most)), [text, most]);
  return (
    <span className={classes.text}>
      {shown}
      {text.length > most && (
        <RestButton characters={text.length - most} onClick={() => setMost((before) => before + shownMore)} />
      )}
    </span>
  );
}
