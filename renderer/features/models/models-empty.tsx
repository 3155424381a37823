import { Button } from "@mantine/core";
import { Box } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useCommand } from "../../api/queries/use-command.ts";
import { CodeBlock } from "../../ui/code/code-block.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import classes from "./models.module.css";

/** An empty list: how to get a model, or how to clear the filter. */
export function ModelsEmpty(props: {
  filtered: boolean;
  onShowAll: () => void;
  onPull: () => void;
  onFile: () => void;
}) {
  const { t } = useTranslation();
  const commandOf = useCommand();
  const icon = <Box size={26} strokeWidth={1.5} aria-hidden />;
  if (props.filtered)
    return (
      <EmptyState icon={icon} title={t("models.noMatch")} text={t("models.noMatchText")}>
        <Button onClick={props.onShowAll}>{t("models.showAll")}</Button>
      </EmptyState>
    );
  return (
    <EmptyState icon={icon} title={t("models.emptyTitle")} text={t("models.emptyText")}>
      <CodeBlock code={commandOf("pull llama3.2:1b")} name="hearth pull" />
      <div className={classes.emptyButtons}>
        <Button variant="filled" onClick={props.onPull}>
          {t("models.pull")}
        </Button>
        <Button onClick={props.onFile}>{t("models.createFromFile")}</Button>
      </div>
    </EmptyState>
  );
}
