import { ActionIcon, Drawer } from "@mantine/core";
import { useLocalStorage, useMediaQuery } from "@mantine/hooks";
import { X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useCallback, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import { ResizeHandle } from "./resize-handle.tsx";
import { closesItsOwn, useShortcut } from "../keyboard/shortcuts.ts";
import classes from "./split-view.module.css";

const smallest = 300;
const largest = 900;

/**
 * A list with an inspector for the open item: beside the list if there is room, otherwise over it. What is typed in the
 * inspector stays when the window's width changes between the two.
 */
export function SplitView(props: {
  children: ReactNode;
  /** The inspector's heading; absent: nothing is open. */
  title: string | undefined;
  inspector: ReactNode;
  onClose: () => void;
}) {
  const narrow = useMediaQuery("(max-width: 61.99em)", undefined, { getInitialValueInEffect: false });
  const [width, setWidth] = useLocalStorage({
    key: "hearth.inspector-width",
    defaultValue: 440,
    getInitialValueInEffect: false,
  });
  const { t } = useTranslation();
  useShortcut("Escape", t("common.closeInspector"), props.title === undefined || narrow ? undefined : props.onClose);
  const frame = useRef<HTMLDivElement>(null);
  const { title, onClose } = props;
  // The content lives in one element, which moves from the one place to the other.
  const [content] = useState(() => document.createElement("div"));
  const place = useCallback((slot: HTMLElement | null) => slot?.append(content), [content]);
  const closeByKey = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    // Elements that open over the page send their keys here, too, as parts of the inspector.
    if (!closesItsOwn(event.target)) onClose();
  };
  const resize = (wanted: number) => {
    const room = (frame.current?.clientWidth ?? largest) - 360;
    setWidth(Math.round(Math.max(smallest, Math.min(wanted, largest, room))));
  };

  return (
    <div className={classes.frame} ref={frame}>
      <div className={classes.main}>{props.children}</div>
      {!narrow && title !== undefined && (
        <>
          <ResizeHandle size={width} smallest={smallest} largest={largest} onResize={resize} />
          <section className={classes.inspector} style={{ width }} aria-label={title} onKeyDown={closeByKey}>
            <InspectorHead title={title} onClose={onClose} />
            <div className={classes.slot} ref={place} />
          </section>
        </>
      )}
      {narrow && (
        <Drawer.Root
          opened={title !== undefined}
          onClose={onClose}
          position="right"
          size="100%"
          padding={0}
          // The lock would take the content for something beside the drawer, and keep it from being scrolled.
          lockScroll={false}
          classNames={{ content: classes.drawer ?? "" }}
        >
          <Drawer.Content aria-label={title} data-page-keys>
            {title !== undefined && <InspectorHead title={title} onClose={onClose} />}
            <div className={classes.slot} ref={place} />
          </Drawer.Content>
        </Drawer.Root>
      )}
      {title !== undefined &&
        createPortal(
          <div className={classes.content} onKeyDown={narrow ? undefined : closeByKey}>
            {props.inspector}
          </div>,
          content,
        )}
    </div>
  );
}

function InspectorHead({ title, onClose }: { title: string; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <div className={classes.head}>
      <h2 className={classes.title}>{title}</h2>
      <ActionIcon aria-label={t("common.close")} onClick={onClose}>
        <X size={15} aria-hidden />
      </ActionIcon>
    </div>
  );
}
