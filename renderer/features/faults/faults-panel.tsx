import { useTranslation } from "react-i18next";
import { Page } from "../../ui/page.tsx";

export function FaultsPanel() {
  const { t } = useTranslation();
  return <Page title={t("faults.title")}>{null}</Page>;
}
