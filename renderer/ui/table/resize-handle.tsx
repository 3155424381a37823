import type { KeyboardEvent, PointerEvent } from "react";
import { useTranslation } from "react-i18next";
import classes from "./resize-handle.module.css";

const keyStep = 24;

/** The edge of a panel on the right: dragged, or moved with the arrow keys. `size` is the panel's width in pixels. */
export function ResizeHandle(props: {
  size: number;
  smallest: number;
  largest: number;
  onResize: (size: number) => void;
}) {
  const { t } = useTranslation();
  const { size, onResize } = props;
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const panel = event.currentTarget.nextElementSibling?.getBoundingClientRect();
    if (panel) onResize(panel.right - event.clientX);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "ArrowLeft") onResize(size + keyStep);
    else if (event.key === "ArrowRight") onResize(size - keyStep);
  };
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={t("common.resize")}
      aria-valuenow={size}
      aria-valuemin={props.smallest}
      aria-valuemax={props.largest}
      tabIndex={0}
      className={classes.handle}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={press}
    />
  );
}
