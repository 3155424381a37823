import { Button } from "@mantine/core";
import { RotateCw } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Notice } from "./notice.tsx";

/** Why something could not be read, and a way to try again; nothing while it could be. */
export function QueryFailure({
  query,
}: {
  query: { error: Error | null; isFetching: boolean; refetch: () => Promise<unknown> };
}) {
  const { t } = useTranslation();
  // The rest of a query is read only after a failure: what is read is rendered again whenever it changes.
  return (
    query.error && (
      <Notice
        kind="error"
        action={
          <Button
            size="compact-xs"
            leftSection={<RotateCw size={12} aria-hidden />}
            loading={query.isFetching}
            onClick={() => void query.refetch()}
          >
            {t("failure.tryAgain")}
          </Button>
        }
      >
        {t("failure.withReason", { reason: query.error.message })}
      </Notice>
    )
  );
}
