import { Button } from "@mantine/core";
import { Activity } from "lucide-react";
import { useTranslation } from "react-i18next";
import { appOrigin } from "../../api/http/app-origin.ts";
import { useOverview } from "../../api/queries/use-overview.ts";
import { CodeBlock } from "../../ui/code/code-block.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";

/** An empty list: how to cause an event, or how to clear the filter. */
export function EventsEmpty(props: { isFiltered: boolean; onShowAll: () => void }) {
  const { t } = useTranslation();
  const { data } = useOverview();
  const icon = <Activity size={26} strokeWidth={1.5} aria-hidden />;
  const code = `curl -d df=/tmp/hello.txt -d ev=create ${data?.addresses.app ?? appOrigin}/api/inotify/`;
  if (!props.isFiltered)
    return (
      <EmptyState icon={icon} title={t("events.emptyTitle")} text={t("events.emptyText")}>
        <CodeBlock code={code} name="curl" />
      </EmptyState>
    );
  return (
    <EmptyState icon={icon} title={t("events.filteredTitle")} text={t("events.filteredText")}>
      <Button onClick={props.onShowAll}>{t("events.showAll")}</Button>
    </EmptyState>
  );
}
