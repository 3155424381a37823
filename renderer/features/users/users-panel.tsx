import { useTranslation } from "react-i18next";
import { Page } from "../../ui/page.tsx";

export function UsersPanel() {
  const { t } = useTranslation();
  return <Page title={t("users.title")}>{null}</Page>;
}
