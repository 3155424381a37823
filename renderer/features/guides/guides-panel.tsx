import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { usePageNavigate } from "../../api/address/use-page-navigate.ts";
import { Page } from "../../ui/page.tsx";
import { GuidesView } from "./guides-view.tsx";

const route = getRouteApi("/guides");

/** The guides of the book, in the console's language. */
export function GuidesPanel() {
  const { t } = useTranslation();
  const { guide, section } = route.useSearch();
  const navigate = usePageNavigate(route);
  return (
    <Page title={t("guides.title")} fill>
      <GuidesView
        open={guide}
        section={section}
        onOpen={(next, anchor) => void navigate({ search: { guide: next, section: anchor } })}
      />
    </Page>
  );
}
