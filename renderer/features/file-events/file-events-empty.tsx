import { Button } from "@mantine/core";
import { FolderSync } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useCommand } from "../../api/queries/use-command.ts";
import { useOverview } from "../../api/queries/use-overview.ts";
import { CodeBlock } from "../../ui/code/code-block.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";

/** The command's default receiver. */
const usualApp = "http://127.0.0.1:3080";

/** An empty list: how to watch a folder, or how to clear the filter. */
export function FileEventsEmpty(props: { filtered: boolean; onShowAll: () => void }) {
  const { t } = useTranslation();
  const commandOf = useCommand();
  const { app = usualApp } = useOverview().data?.addresses ?? {};
  const receiver = app === usualApp ? "" : ` --to ${app}/api/inotify/`;
  const icon = <FolderSync size={26} strokeWidth={1.5} aria-hidden />;
  if (props.filtered)
    return (
      <EmptyState icon={icon} title={t("fileEvents.noMatch")} text={t("fileEvents.noMatchText")}>
        <Button onClick={props.onShowAll}>{t("fileEvents.showAll")}</Button>
      </EmptyState>
    );
  return (
    <EmptyState icon={icon} title={t("fileEvents.emptyTitle")} text={t("fileEvents.emptyText")}>
      <CodeBlock code={commandOf(`watch ~/project --exclude '/node_modules(/|$)'${receiver}`)} name="hearth watch" />
    </EmptyState>
  );
}
