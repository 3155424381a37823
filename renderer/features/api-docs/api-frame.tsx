import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { appOrigin } from "../../api/http/app-origin.ts";
import { askForState, type FrameState } from "./frame/messages.ts";
import classes from "./api-docs.module.css";

/**
 * The server's own description page, in a frame. It needs scripts, requests and links of its own origin; the frame must
 * not navigate the console or open windows with its rights.
 */
export function ApiFrame({ token }: { token: string | undefined }) {
  const { t, i18n } = useTranslation();
  const frame = useRef<HTMLIFrameElement>(null);
  const end = useRef<HTMLSpanElement>(null);
  const [asked, setAsked] = useState(0);
  const scheme = useComputedColorScheme("light");
  // Before the page in the frame can ask.
  useLayoutEffect(() => {
    const listen = ({ source, origin, data }: MessageEvent<unknown>) => {
      const isFrame = source === frame.current?.contentWindow && origin === appOrigin;
      if (isFrame && data === askForState) setAsked((times) => times + 1);
    };
    addEventListener("message", listen);
    return () => removeEventListener("message", listen);
  }, []);
  useEffect(() => {
    const state: FrameState = { scheme, token };
    if (asked > 0) frame.current?.contentWindow?.postMessage(state, appOrigin);
  }, [asked, scheme, token]);
  return (
    <div className={classes.api}>
      <button type="button" className={classes.skip} onClick={() => end.current?.focus()}>
        {t("apiDocs.skip")}
      </button>
      <iframe
        ref={frame}
        src={`${appOrigin}/swagger?language=${i18n.language}`}
        title={t("apiDocs.frame")}
        className={classes.frame}
        sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-downloads"
      />
      <span ref={end} tabIndex={-1} className={classes.end}>
        {t("apiDocs.end")}
      </span>
    </div>
  );
}
