import { Button } from "@mantine/core";
import { CreditCard } from "lucide-react";
import { useTranslation } from "react-i18next";
import { appOrigin } from "../../api/http/app-origin.ts";
import { useOverview } from "../../api/queries/use-overview.ts";
import { CodeBlock } from "../../ui/code/code-block.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";

/** An empty list: how to place the first order, or no order that matches the filter. */
export function PaymentsEmpty(props: { filtered: boolean; onClear: () => void; onNew: () => void }) {
  const { t } = useTranslation();
  const { data } = useOverview();
  const app = data?.addresses.app ?? appOrigin;
  const icon = <CreditCard size={26} strokeWidth={1.5} aria-hidden />;
  if (props.filtered)
    return (
      <EmptyState icon={icon} title={t("payments.emptyTitle")} text={t("payments.emptyFilter")}>
        <Button onClick={props.onClear}>{t("payments.clearFilter")}</Button>
      </EmptyState>
    );
  const code = [
    `curl ${app}/api/orders \\`,
    `  -H "Authorization: Bearer $TOKEN" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"description":"Two tickets","amount":101,"trade_type":"NATIVE"}'`,
  ].join("\n");
  return (
    <EmptyState icon={icon} title={t("payments.emptyTitle")} text={t("payments.emptyText")}>
      <CodeBlock code={code} name="curl" />
      <Button variant="filled" mt={12} onClick={props.onNew}>
        {t("payments.newOrder")}
      </Button>
    </EmptyState>
  );
}
