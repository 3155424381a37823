import type { fileEvents as english } from "../en/file-events.ts";
import type { Texts } from "../texts.ts";

export const fileEvents: Texts<typeof english> = {
  title: "文件事件",
};
