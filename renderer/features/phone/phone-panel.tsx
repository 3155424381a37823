import { useTranslation } from "react-i18next";
import { Page } from "../../ui/page.tsx";

export function PhonePanel() {
  const { t } = useTranslation();
  return <Page title={t("phone.title")}>{null}</Page>;
}
