import { useTranslation } from "react-i18next";
import { Page } from "../../ui/page.tsx";

export function RequestsPanel() {
  const { t } = useTranslation();
  return <Page title={t("requests.title")}>{null}</Page>;
}
