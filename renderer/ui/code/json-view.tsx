import { useMemo, useState } from "react";
import { withBrokenRuns } from "./bounded-text.ts";
import { RestButton } from "./rest-button.tsx";
import classes from "./json-view.module.css";

type Kind = "key" | "string" | "number" | "keyword" | "plain";
const token = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null)/g;

const charactersAtOnce = 20_000;

/** A value as indented, coloured JSON. Its beginning is shown, and the rest on demand. */
export function JsonView({ value }: { value: unknown }) {
  const [most, setMost] = useState(charactersAtOnce);
  const json = useMemo(() => JSON.stringify(value, null, 2) ?? "null", [value]);
  const parts = useMemo(() => colour(withBrokenRuns(json.slice(0, most))), [json, most]);
  return (
    <pre className={classes.json}>
      {parts.map(({ kind, text }, index) => (
        <span key={index} className={classes[kind]}>
          {text}
        </span>
      ))}
      {json.length > most && (
        <RestButton characters={json.length - most} onClick={() => setMost((before) => before + charactersAtOnce)} />
      )}
    </pre>
  );
}

function colour(json: string): { kind: Kind; text: string }[] {
  const parts: { kind: Kind; text: string }[] = [];
  let end = 0;
  for (const match of json.matchAll(token)) {
    const [text, quoted, colon, number] = match;
    if (match.index > end) parts.push({ kind: "plain", text: json.slice(end, match.index) });
    end = match.index + text.length;
    if (quoted === undefined) parts.push({ kind: number === undefined ? "keyword" : "number", text });
    else {
      parts.push({ kind: colon === undefined ? "string" : "key", text: quoted });
      if (colon !== undefined) parts.push({ kind: "plain", text: colon });
    }
  }
  parts.push({ kind: "plain", text: json.slice(end) });
  return parts;
}
