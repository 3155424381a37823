/** Size and place of the window, as it was left and as the screens that are there now allow. */
import type { BrowserWindow, Rectangle } from "electron";
import type { WindowPlace } from "../desktop/desktop-state.ts";

const firstSize = { width: 1280, height: 860 };
/** What of the title bar must be on a screen, so that the window can be moved. */
const grip = { width: 120, height: 24 };

const overlap = (from: number, length: number, otherFrom: number, otherLength: number) =>
  Math.min(from + length, otherFrom + otherLength) - Math.max(from, otherFrom);

function canBeGripped({ x, y, width }: Rectangle, screen: Rectangle): boolean {
  const visible = overlap(x, width, screen.x, screen.width);
  return visible >= grip.width && y >= screen.y && y + grip.height <= screen.y + screen.height;
}

/**
 * Where the window opens: where it was, if its title bar can be reached there; else in the middle of the first screen.
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

/** Moving a window is many events. */
const settleMs = 500;

/** Keeps the place whenever the window has come to rest, and as it closes. @returns what keeps a place that is not kept yet */
export function keepPlace(window: BrowserWindow, keep: (place: WindowPlace) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  // One that opens in the tray is not maximised before it is shown.
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
