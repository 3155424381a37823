/** Figures of the product that the documentation's pictures show. When one changes, the pictures are out of date. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { groupSettings } from "../../renderer/features/settings/setting-groups.ts";
import { settings as settingTexts } from "../../renderer/i18n/en/settings.ts";
import { shell } from "../../renderer/i18n/en/shell.ts";
import { allPages } from "../../renderer/shell/sidebar/nav-items.ts";
import { settingsSchema } from "../../server/contract/process/settings.ts";
import { root } from "../root.ts";

/** Beside the pictures, as they were made. */
export const figuresFile = join(root, "docs/pictures/figures.json");

interface PictureFigures {
  /** The entries of the sidebar. */
  readonly pages: string;
  /** The groups of the page Settings with the number of settings in each. */
  readonly settings: Readonly<Record<string, number>>;
  /** The size of the model on the page Models. */
  readonly modelBytes: number;
}

export function pictureFigures(): PictureFigures {
  const names = Object.keys(settingsSchema.shape).map((name) => ({ name }));
  const groups = groupSettings(names).map(({ label, settings }) => [settingTexts.group[label], settings.length]);
  return {
    pages: allPages.map(({ item }) => shell.nav[item.label]).join(", "),
    settings: Object.fromEntries(groups) as Record<string, number>,
    modelBytes: statSync(join(root, "server/model/starter/hearth-starter.gguf")).size,
  };
}
