import { Suspense } from "react";
import { lazyPagePart } from "../lazy-part.ts";
import { codeHeight } from "./code-height.ts";
import type { BodyKind } from "./format-body.ts";
import classes from "./body-view.module.css";

const CodeMirror = lazyPagePart(
  () => import("./code-mirror.tsx"),
  (file) => file.CodeMirror,
);

/** A field for text with a syntax. `label` names it; `invalid` marks it; `maxHeight` is in pixels. */
export function CodeEditor(props: {
  value: string;
  onChange: (value: string) => void;
  language: BodyKind;
  label: string;
  invalid?: boolean;
  maxHeight?: number;
}) {
  const { value, onChange, language, label, invalid = false } = props;
  return (
    <div className={classes.editor} data-invalid={invalid} style={codeHeight(props.maxHeight)}>
      <Suspense fallback={<pre className={classes.waiting}>{value.slice(0, 4_000)}</pre>}>
        <CodeMirror value={value} language={language} label={label} onChange={onChange} invalid={invalid} />
      </Suspense>
    </div>
  );
}
