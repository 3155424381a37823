import { useTranslation } from "react-i18next";
import { Page } from "../../ui/page.tsx";

export function ModelsPanel() {
  const { t } = useTranslation();
  return <Page title={t("models.title")}>{null}</Page>;
}
