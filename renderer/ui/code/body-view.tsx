import { Suspense, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../i18n/formats-context.tsx";
import { boundLines } from "./bounded-text.ts";
import { codeHeight } from "./code-height.ts";
import { CopyButton } from "./copy-button.tsx";
import { formatBody } from "./format-body.ts";
import { lazyPagePart } from "../lazy-part.ts";
import { RestButton } from "./rest-button.tsx";
import { Segmented } from "../forms/segmented.tsx";
import classes from "./body-view.module.css";

const CodeMirror = lazyPagePart(
  () => import("./code-mirror.tsx"),
  (file) => file.CodeMirror,
);

/**
 * Shows a body by its media type: formatted or as sent, with search (Control-F), folding and copying. `label` names it;
 * beyond `maxHeight` (pixels) it scrolls. Long lines are cut until the rest is asked for, and go on as further ones then.
 */
export function BodyView(props: { text: string; mediaType: string | undefined; label: string; maxHeight?: number }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { text, label } = props;
  const [raw, setRaw] = useState(false);
  const { kind, pretty } = useMemo(() => formatBody(text, props.mediaType), [text, props.mediaType]);
  const [showsAll, setShowsAll] = useState(false);
  const visible = raw ? text : (pretty ?? text);
  const bounded = useMemo(() => boundLines(visible), [visible]);
  const value = bounded ? (showsAll ? bounded.broken : bounded.cut) : visible;
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
      <Suspense fallback={<pre className={classes.waiting}>{value.slice(0, 4_000)}</pre>}>
        <CodeMirror value={value} language={raw && kind === "form" ? "plain" : kind} label={label} />
      </Suspense>
      {bounded && (
        <div className={classes.foot}>
          {t(showsAll ? "common.linesBroken" : "common.linesCut")}
          {!showsAll && <RestButton characters={bounded.hidden} onClick={() => setShowsAll(true)} />}
        </div>
      )}
    </div>
  );
}
