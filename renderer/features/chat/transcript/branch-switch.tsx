import { ActionIcon } from "@mantine/core";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import classes from "../chat.module.css";

/** The versions of a turn: which one is shown, counted from 0, of how many. */
export interface Versions {
  readonly shown: number;
  readonly count: number;
  readonly show: (version: number) => void;
}

/** Steps through the versions of a question or an answer; each one has its own continuation. */
export function BranchSwitch({ shown, count, show }: Versions) {
  const { t } = useTranslation();
  const step = (label: string, version: number, Icon: typeof ChevronLeft) => (
    <ActionIcon
      size={24}
      aria-label={label}
      // Stays focusable at an end, so that the keyboard does not lose its place.
      aria-disabled={version < 0 || version >= count}
      data-disabled={version < 0 || version >= count}
      onClick={() => {
        if (version >= 0 && version < count) show(version);
      }}
    >
      <Icon size={14} aria-hidden />
    </ActionIcon>
  );
  return (
    <span className={classes.versions} role="group" aria-label={t("chat.versions")}>
      {step(t("chat.previousVersion"), shown - 1, ChevronLeft)}
      <span aria-live="polite">{t("chat.version", { number: shown + 1, total: count })}</span>
      {step(t("chat.nextVersion"), shown + 1, ChevronRight)}
    </span>
  );
}
