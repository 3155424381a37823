import { Button } from "@mantine/core";
import { Users } from "lucide-react";
import { useTranslation } from "react-i18next";
import { appOrigin } from "../../api/http/app-origin.ts";
import { useOverview } from "../../api/queries/use-overview.ts";
import { CodeBlock } from "../../ui/code/code-block.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";

/** An empty list: how to log somebody in, or how to clear the search. */
export function UsersEmpty({ text, onShowAll }: { text: string | undefined; onShowAll: () => void }) {
  const { t } = useTranslation();
  const { data } = useOverview();
  const icon = <Users size={26} strokeWidth={1.5} aria-hidden />;
  if (text !== undefined)
    return (
      <EmptyState icon={icon} title={t("users.noneFits")} text={t("users.noneFitsText", { text })}>
        <Button onClick={onShowAll}>{t("users.showAll")}</Button>
      </EmptyState>
    );
  const { app = appOrigin, provider = "" } = data?.addresses ?? {};
  const code = `curl -X POST ${provider}/sim/users/ada/login | curl --json @- ${app}/api/sessions`;
  return (
    <EmptyState icon={icon} title={t("users.emptyTitle")} text={t("users.emptyText")}>
      <CodeBlock code={code} name="curl" />
    </EmptyState>
  );
}
