import { useTranslation } from "react-i18next";
import { Notice } from "../../../ui/dialogs/notice.tsx";

/** Says that a new model takes the place of the installed one. */
export function ReplacesNotice({ name }: { name: string | undefined }) {
  const { t } = useTranslation();
  return name !== undefined && <Notice kind="info">{t("models.replaces", { name })}</Notice>;
}
