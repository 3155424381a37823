import "i18next";
import type { en } from "./en.ts";

declare module "i18next" {
  /** Makes every key of `t` checked by the compiler. */
  interface CustomTypeOptions {
    defaultNS: "translation";
    resources: { translation: typeof en };
  }
}
