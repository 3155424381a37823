import type { CSSProperties } from "react";

/** How tall code may grow before it scrolls by itself, in pixels. */
export const codeHeight = (pixels = 480) => ({ "--code-height": `${pixels}px` }) as CSSProperties;
