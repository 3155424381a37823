import { useTranslation } from "react-i18next";
import { Page } from "../../ui/page.tsx";

export function CollectionsPanel() {
  const { t } = useTranslation();
  return <Page title={t("collections.title")}>{null}</Page>;
}
