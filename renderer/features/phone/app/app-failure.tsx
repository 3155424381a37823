import { Button } from "@mantine/core";
import { CloudOff, MessageCircleX, ShieldX } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Failure } from "./ask-server.ts";
import classes from "./app.module.css";

const icons = { step: ShieldX, offline: CloudOff, refused: MessageCircleX, other: MessageCircleX };

/** The app's error message, with the next step. */
export function AppFailure({ failure, onRetry }: { failure: Failure; onRetry?: (() => void) | undefined }) {
  const { t } = useTranslation();
  const Icon = icons[failure.kind];
  const text =
    failure.kind === "step"
      ? t(`phone.refused.${failure.step}`)
      : failure.kind === "offline"
        ? t("phone.noNetwork")
        : failure.kind === "refused"
          ? t("phone.answered", failure)
          : failure.message;
  return (
    <div className={classes.failure} role="alert">
      <Icon size={22} aria-hidden />
      <p>{text}</p>
      {onRetry && <Button onClick={onRetry}>{t("failure.tryAgain")}</Button>}
    </div>
  );
}
