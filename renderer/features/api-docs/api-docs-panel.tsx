import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { usePageNavigate } from "../../api/address/use-page-navigate.ts";
import { Page } from "../../ui/page.tsx";
import { Segmented } from "../../ui/forms/segmented.tsx";
import { ApiControls } from "./api-controls.tsx";
import { ApiFrame } from "./api-frame.tsx";
import { GuidesView } from "./guides/guides-view.tsx";
import { useSignIn } from "./use-sign-in.ts";

const route = getRouteApi("/api-docs");

/** The description of the API, which tries operations out, and the guides. */
export function ApiDocsPanel() {
  const { t } = useTranslation();
  const { view = "api", guide, section } = route.useSearch();
  const navigate = usePageNavigate(route);
  const signIn = useSignIn();
  return (
    <Page
      title={t("apiDocs.title")}
      fill
      note={
        <Segmented
          label={t("apiDocs.views")}
          value={view}
          choices={(["api", "guides"] as const).map((value) => ({ value, label: t(`apiDocs.view.${value}`) }))}
          onChange={(next) => void navigate({ search: { view: next === "api" ? undefined : next } })}
        />
      }
      controls={view === "api" && <ApiControls {...signIn} />}
    >
      {view === "api" ? (
        <ApiFrame token={signIn.token} />
      ) : (
        <GuidesView
          open={guide}
          section={section}
          onOpen={(next, anchor) => void navigate({ search: { view: "guides", guide: next, section: anchor } })}
        />
      )}
    </Page>
  );
}
