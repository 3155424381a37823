import type { models as english } from "../en/models.ts";
import type { Texts } from "../texts.ts";

export const models: Texts<typeof english> = {
  title: "模型",
};
