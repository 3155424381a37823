import { ActionIcon, Modal } from "@mantine/core";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import classes from "./dialog.module.css";

/** A window over the page, which must be answered or read first. Escape closes it; a click beside it loses nothing. */
export function Dialog(props: {
  opened: boolean;
  onClose: () => void;
  title: string;
  size?: "md" | "lg" | "xl";
  /** Whether the page's shortcuts also work in it, for read-only content. */
  pageKeys?: boolean;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <Modal.Root
      opened={props.opened}
      onClose={props.onClose}
      size={props.size ?? "md"}
      closeOnClickOutside={props.pageKeys ?? false}
      centered
    >
      <Modal.Overlay backgroundOpacity={0.35} />
      <Modal.Content aria-label={props.title} className={classes.content} data-page-keys={props.pageKeys}>
        <div className={classes.head}>
          <h2 className={classes.title}>{props.title}</h2>
          <ActionIcon aria-label={t("common.close")} onClick={props.onClose}>
            <X size={15} aria-hidden />
          </ActionIcon>
        </div>
        <div className={classes.body}>{props.children}</div>
      </Modal.Content>
    </Modal.Root>
  );
}
