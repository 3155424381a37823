/** Size and place of the window: as the user left it, within the screens that exist now. */
import type { BrowserWindow, Rectangle } from "electron";
import type { WindowPlace } from "../desktop/desktop-state.ts";

const firstSize = { width: 1280, height: 860 };
/** The part of the title bar that must be on a screen, so that the window can be moved. */
const grip = { width: 120, height: 24 };

const overlap = (from: number, length: number, otherFrom: number, otherLength: number) =>
  Math.min(from + length, otherFrom + otherLength) - Math.max(from, otherFrom);

function canBeGripped({ x, y, width }: Rectangle, screen: Rectangle): boolean {
  const visible = overlap(x, width, screen.x, screen.width);
  return visible >= grip.width && y >= screen.y && y + grip.height <= screen.y + screen.height;
}

/**
 * The place where the window opens: its last place, if its title bar can be reached there; otherwise the middle of the
 * first screen.
 * @param screens the usable area of each, the first one first
 */
export function placeOnScreens(kept: WindowPlace | undefined, screens: readonly Rectangle[]): Partial<Rectangle> {
  const [first = { x: 0, y: 0, ...firstSize }] = screens;
  const screen = kept && screens.find((area) => canBeGripped(kept, area));
  const fit = ({ width, height }: typeof firstSize, area: Rectangle) => ({
    width: Math.min(width, area.width),
    height: Math.min(height, area.height),
  });
  if (kept && screen) return { x: kept.x, y: kept.y, ...fit(kept, screen) };
  return fit(kept ?? firstSize, first);
}

/** Moving a window emits many events. */
const settleMs = 500;

/** Keeps the place when the window has stopped moving, and when it closes. Returns a function that keeps a pending place. */
export function keepPlace(window: BrowserWindow, keep: (place: WindowPlace) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  // A window that opens in the tray is not maximised before it is shown.
  let wasShown = window.isVisible();
  const note = () => {
    clearTimeout(timer);
    timer = undefined;
    if (!wasShown) return;
    if (window.isDestroyed() || window.isMinimized() || window.isFullScreen()) return;
    keep({ ...window.getNormalBounds(), maximized: window.isMaximized() });
  };
  const noteSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(note, settleMs);
  };
  window.on("show", () => (wasShown = true));
  window.on("resize", noteSoon);
  window.on("move", noteSoon);
  window.on("maximize", noteSoon);
  window.on("unmaximize", noteSoon);
  window.on("close", note);
  window.on("closed", () => clearTimeout(timer));
  return () => {
    if (timer !== undefined) note();
  };
}
