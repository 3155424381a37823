import type { CSSProperties } from "react";

/** The maximum height of code in pixels, beyond which it scrolls. */
export const codeHeight = (pixels = 480) => ({ "--code-height": `${pixels}px` }) as CSSProperties;
