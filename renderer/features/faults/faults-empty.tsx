import { Button } from "@mantine/core";
import { TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useOverview } from "../../api/queries/use-overview.ts";
import { CodeBlock } from "../../ui/code/code-block.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";

/** An empty list: no faults, or none that match the filter. */
export function FaultsEmpty({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  const { t } = useTranslation();
  const { data } = useOverview();
  const provider = data?.addresses.provider ?? "";
  const icon = <TriangleAlert size={26} strokeWidth={1.5} aria-hidden />;
  if (filtered)
    return (
      <EmptyState icon={icon} title={t("faults.emptyTitle")} text={t("faults.emptyFilter")}>
        <Button onClick={onClear}>{t("faults.showAll")}</Button>
      </EmptyState>
    );
  const code = [
    `curl ${provider}/sim/faults \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"kind":"notification_duplicate","params":{"copies":3},"times":1}'`,
  ].join("\n");
  return (
    <EmptyState icon={icon} title={t("faults.emptyTitle")} text={t("faults.emptyText")}>
      <CodeBlock code={code} name="curl" />
    </EmptyState>
  );
}
