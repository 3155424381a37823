import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { checkUploads } from "../../../server/contract/console/data/stored-uploads.ts";
import { useApi } from "../../api/use-api.ts";
import { useShowFailure } from "../../api/actions/use-show-failure.ts";
import { useToast } from "../../ui/dialogs/toast.ts";

/** Lets the server check all uploads again, and notifies the reader of the result. */
export function useCheckUploads() {
  const { t } = useTranslation();
  const { call } = useApi();
  const toast = useToast();
  const showFailure = useShowFailure();
  const abort = useRef<AbortController>(undefined);
  const { mutate, isPending, data } = useMutation({
    mutationFn: (signal: AbortSignal) => call(checkUploads, { signal }),
    onSuccess: ({ recovered, lost }) => {
      if (lost > 0) return; // shown at the check itself
      const back = recovered > 0 ? t("uploads.checkRecovered", { count: recovered }) : "";
      toast.success(`${back} ${t("uploads.checkNoneLost")}`.trim());
    },
    onError: (error, signal) => {
      if (!signal.aborted) showFailure(error);
    },
  });
  return {
    check: () => {
      abort.current = new AbortController();
      mutate(abort.current.signal);
    },
    cancel: () => abort.current?.abort(),
    isChecking: isPending,
    /** The result of this page's last check. */
    found: data,
  };
}
