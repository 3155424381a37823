import "@mantine/notifications/styles.layer.css";
import { Button } from "@mantine/core";
import { Notifications, notifications } from "@mantine/notifications";
import { Check, CircleAlert, Undo2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { addToast, mostToasts } from "./add-toast.ts";
import classes from "./toast-stack.module.css";

export type ToastContent =
  { kind: "success" | "error"; text: string } | { kind: "undo"; text: string; onUndo: () => void };

const styles = {
  success: { icon: Check, color: "green", autoClose: 4_000 },
  error: { icon: CircleAlert, color: "red", autoClose: false },
  undo: { icon: Undo2, color: "gray", autoClose: 8_000 },
} as const;

export function ToastStack() {
  return (
    <Notifications
      // The buttons of forms and bars are at the right.
      position="bottom-center"
      classNames={{ root: classes.stack }}
      containerWidth={360}
      limit={mostToasts}
      pauseResetOnHover="notification"
      transitionDuration={120}
      zIndex={500}
    />
  );
}

export function showToast(content: ToastContent, closeLabel: string): void {
  const { icon: Icon, ...style } = styles[content.kind];
  const id = addToast({
    ...style,
    icon: <Icon size={14} aria-hidden />,
    withBorder: true,
    message:
      content.kind === "undo" ? (
        <Undoable
          text={content.text}
          onUndo={() => {
            notifications.hide(id);
            content.onUndo();
          }}
        />
      ) : (
        content.text
      ),
    closeButtonProps: { "aria-label": closeLabel },
  });
}

function Undoable({ text, onUndo }: { text: string; onUndo: () => void }) {
  const { t } = useTranslation();
  return (
    <span className={classes.undo}>
      <span className={classes.text}>{text}</span>
      <Button size="compact-xs" onClick={onUndo}>
        {t("common.undo")}
      </Button>
    </span>
  );
}
