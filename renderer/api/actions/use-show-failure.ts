import { useTranslation } from "react-i18next";
import { useToast } from "../../ui/dialogs/toast.ts";
import { messageOfError } from "../http/console-error.ts";

/** Shows a failure and its reason as a toast, because it has no place of its own on the page. */
export function useShowFailure(): (error: unknown) => void {
  const { t } = useTranslation();
  const toast = useToast();
  return (error) => toast.error(t("failure.withReason", { reason: messageOfError(error) }));
}
