import { useMemo } from "react";
import classes from "./json-view.module.css";

type Kind = "key" | "string" | "number" | "keyword" | "plain";
const token = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null)/g;

/** A value as indented, coloured JSON. */
export function JsonView({ value }: { value: unknown }) {
  const parts = useMemo(() => colour(JSON.stringify(value, null, 2) ?? "null"), [value]);
  return (
    <pre className={classes.json}>
      {parts.map(({ kind, text }, index) => (
        <span key={index} className={classes[kind]}>
          {text}
        </span>
      ))}
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
