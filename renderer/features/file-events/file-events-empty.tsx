import { Button } from "@mantine/core";
import { FolderSync } from "lucide-react";
import { useTranslation } from "react-i18next";
import { CodeBlock } from "../../ui/code/code-block.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";

/** Nothing to list: how a folder is watched, or the way out of a filter that nothing passes. */
export function FileEventsEmpty(props: { filtered: boolean; onShowAll: () => void }) {
  const { t } = useTranslation();
  const icon = <FolderSync size={26} strokeWidth={1.5} aria-hidden />;
  if (props.filtered)
    return (
      <EmptyState icon={icon} title={t("fileEvents.noMatch")} text={t("fileEvents.noMatchText")}>
        <Button onClick={props.onShowAll}>{t("fileEvents.showAll")}</Button>
      </EmptyState>
    );
  return (
    <EmptyState icon={icon} title={t("fileEvents.emptyTitle")} text={t("fileEvents.emptyText")}>
      <CodeBlock code={"npx hearth watch ~/project --exclude '/node_modules(/|$)'"} name="hearth watch" />
    </EmptyState>
  );
}
