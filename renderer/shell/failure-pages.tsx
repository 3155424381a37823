import { Button } from "@mantine/core";
import { Link, useLocation, type ErrorComponentProps } from "@tanstack/react-router";
import { CircleAlert, Compass } from "lucide-react";
import { useTranslation } from "react-i18next";
import { messageOfError } from "../api/http/console-error.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Page } from "../ui/page.tsx";

/** Replaces a page that threw, or whose code could not be loaded. */
export function FailedPage({ error }: ErrorComponentProps) {
  const { t } = useTranslation();
  return (
    <Page title={t("failure.title")} fill>
      <EmptyState icon={<CircleAlert size={26} aria-hidden />} title={t("failure.title")} text={messageOfError(error)}>
        <Button onClick={() => location.reload()}>{t("failure.reload")}</Button>
      </EmptyState>
    </Page>
  );
}

export function NotFoundPage() {
  const { t } = useTranslation();
  const path = useLocation({ select: (place) => place.pathname });
  return (
    <Page title={t("failure.notFoundTitle")} fill>
      <EmptyState
        icon={<Compass size={26} aria-hidden />}
        title={t("failure.notFoundTitle")}
        text={t("failure.notFoundText", { path })}
      >
        <Button renderRoot={(props) => <Link to="/" {...props} />}>{t("failure.toOverview")}</Button>
      </EmptyState>
    </Page>
  );
}
