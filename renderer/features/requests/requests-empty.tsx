import { Button } from "@mantine/core";
import { ArrowLeftRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { appOrigin } from "../../api/http/app-origin.ts";
import { useOverview } from "../../api/queries/use-overview.ts";
import { CodeBlock } from "../../ui/code/code-block.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";

/** An empty list: an example of a call, or how to clear the filter. */
export function RequestsEmpty(props: { filtered: boolean; onShowAll: () => void; onNew: () => void }) {
  const { t } = useTranslation();
  const { data } = useOverview();
  const { app = appOrigin, model } = data?.addresses ?? {};
  const icon = <ArrowLeftRight size={26} strokeWidth={1.5} aria-hidden />;
  if (props.filtered)
    return (
      <EmptyState icon={icon} title={t("requests.noneFits")} text={t("requests.noneFitsText")}>
        <Button onClick={props.onShowAll}>{t("requests.showAll")}</Button>
      </EmptyState>
    );
  const code = [`curl ${app}/api/articles`, ...(model === undefined ? [] : [`curl ${model}/api/version`])].join("\n");
  return (
    <EmptyState icon={icon} title={t("requests.emptyTitle")} text={t("requests.emptyText")}>
      <CodeBlock code={code} name="curl" />
      <Button variant="filled" mt={12} onClick={props.onNew}>
        {t("requests.new")}
      </Button>
    </EmptyState>
  );
}
