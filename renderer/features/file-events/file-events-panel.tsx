import { useTranslation } from "react-i18next";
import { Page } from "../../ui/page.tsx";

export function FileEventsPanel() {
  const { t } = useTranslation();
  return <Page title={t("fileEvents.title")}>{null}</Page>;
}
