import { Suspense, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../i18n/formats-context.tsx";
import { codeHeight } from "./code-height.ts";
import { CopyButton } from "./copy-button.tsx";
import { formatBody } from "./format-body.ts";
import { lazyPagePart } from "../lazy-part.ts";
import { Segmented } from "../forms/segmented.tsx";
import classes from "./body-view.module.css";

const CodeMirror = lazyPagePart(
  () => import("./code-mirror.tsx"),
  (file) => file.CodeMirror,
);

/**
 * Shows a body by its media type: formatted or as sent, with search (Control-F), folding and copying. `label` names it;
 * beyond `maxHeight` (pixels) it scrolls.
 */
export function BodyView(props: { text: string; mediaType: string | undefined; label: string; maxHeight?: number }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { text, label } = props;
  const [raw, setRaw] = useState(false);
  const { kind, pretty } = useMemo(() => formatBody(text, props.mediaType), [text, props.mediaType]);
  const visible = raw ? text : (pretty ?? text);
  const size = useMemo(() => new TextEncoder().encode(text).length, [text]);
  return (
    <div className={classes.body} style={codeHeight(props.maxHeight)}>
      <div className={classes.head}>
        <span className={classes.kind}>
          {props.mediaType ?? kind} · {formats.bytes(size)}
        </span>
        <div className={classes.controls}>
          {pretty !== undefined && (
            <Segmented
              label={t("common.bodyView", { name: label })}
              value={raw ? "raw" : "pretty"}
              choices={[
                { value: "pretty", label: t("common.pretty") },
                { value: "raw", label: t("common.asSent") },
              ]}
              onChange={(way) => setRaw(way === "raw")}
            />
          )}
          <CopyButton value={text} name={label} />
        </div>
      </div>
      <Suspense fallback={<pre className={classes.waiting}>{visible.slice(0, 4_000)}</pre>}>
        <CodeMirror value={visible} language={raw && kind === "form" ? "plain" : kind} label={label} />
      </Suspense>
    </div>
  );
}
