import type { requests as english } from "../en/requests.ts";
import type { Texts } from "../texts.ts";

export const requests: Texts<typeof english> = {
  title: "请求",
};
