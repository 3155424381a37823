import { Button, useComputedColorScheme } from "@mantine/core";
import { ExternalLink } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { Page } from "../../ui/page.tsx";
import { SignIn } from "./sign-in.tsx";
import { useFrameTheme } from "./use-frame-theme.ts";
import classes from "./api-docs.module.css";

/**
 * The server's own description page, in a frame. It is same-origin and needs scripts, requests and links; the frame
 * must not navigate the console or open windows with its rights.
 */
export function ApiDocsPanel() {
  const { t } = useTranslation();
  const frame = useRef<HTMLIFrameElement>(null);
  const onLoad = useFrameTheme(frame, useComputedColorScheme("light"));
  return (
    <Page
      title={t("apiDocs.title")}
      fill
      controls={
        <>
          <SignIn frame={frame} />
          <Button component="a" href="/swagger/docs/v1" target="_blank" rel="noreferrer">
            {t("apiDocs.description")}
          </Button>
          <Button
            component="a"
            href="/swagger"
            target="_blank"
            rel="noreferrer"
            leftSection={<ExternalLink size={14} aria-hidden />}
          >
            {t("apiDocs.openAlone")}
          </Button>
        </>
      }
    >
      <iframe
        ref={frame}
        src="/swagger"
        title={t("apiDocs.frame")}
        className={classes.frame}
        sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-downloads"
        onLoad={onLoad}
      />
    </Page>
  );
}
