import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { rove } from "./frame-keys.ts";
import { addLook, setScheme } from "./frame-look.ts";
import classes from "./api-docs.module.css";

/** The way to authorise by a session's token, as the description calls it. */
const scheme = "sessionToken";

/** What the description page exposes on its window. */
interface DescriptionUi {
  preauthorizeApiKey(scheme: string, value: string): void;
  specSelectors: { specJson(): { getIn(path: readonly string[]): unknown } };
  getStore(): { subscribe(listener: () => void): () => void };
}

/**
 * The server's own description page, in a frame. It is same-origin and needs scripts, requests and links; the frame
 * must not navigate the console or open windows with its rights.
 */
export function ApiFrame({ token }: { token: string | undefined }) {
  const { t } = useTranslation();
  const frame = useRef<HTMLIFrameElement>(null);
  const end = useRef<HTMLSpanElement>(null);
  const [page, setPage] = useState<Document>();
  const colors = useComputedColorScheme("light");
  useEffect(() => page && setScheme(page, colors), [page, colors]);
  useEffect(() => page && rove(page), [page]);
  useEffect(() => {
    const { ui } = (page?.defaultView ?? {}) as { ui?: DescriptionUi };
    return ui && token !== undefined ? authorize(ui, token) : undefined;
  }, [page, token]);
  return (
    <div className={classes.api}>
      <button type="button" className={classes.skip} onClick={() => end.current?.focus()}>
        {t("apiDocs.skip")}
      </button>
      <iframe
        ref={frame}
        src="/swagger"
        title={t("apiDocs.frame")}
        className={classes.frame}
        sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-downloads"
        onLoad={() => {
          const loaded = frame.current?.contentDocument;
          if (!loaded) return;
          addLook(loaded);
          setPage(loaded);
        }}
      />
      <span ref={end} tabIndex={-1} className={classes.end}>
        {t("apiDocs.end")}
      </span>
    </div>
  );
}

/** Sends the token with tried operations, once the description is loaded. Returns a function that gives up. */
function authorize(ui: DescriptionUi, token: string): () => void {
  let isDone = false;
  const attempt = () => {
    if (isDone || ui.specSelectors.specJson().getIn(["components", "securitySchemes", scheme]) === undefined) return;
    // Before the call, which changes the store, too.
    isDone = true;
    ui.preauthorizeApiKey(scheme, token);
  };
  const stop = ui.getStore().subscribe(attempt);
  attempt();
  return stop;
}
