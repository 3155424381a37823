import { useTranslation } from "react-i18next";
import { Page } from "../../ui/page.tsx";

export function PaymentsPanel() {
  const { t } = useTranslation();
  return <Page title={t("payments.title")}>{null}</Page>;
}
