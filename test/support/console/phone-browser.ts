import { openChromium } from "./chromium.ts";

/** A browser as on a phone. `locale`: in which it asks for pages. */
export const openPhone = (locale: string) => openChromium({ locale, viewport: { width: 360, height: 740 } });
