import type { collections as english } from "../en/collections.ts";
import type { Texts } from "../texts.ts";

export const collections: Texts<typeof english> = {
  title: "数据集",
};
