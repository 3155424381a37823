import type { upstreams as english } from "../en/upstreams.ts";
import type { Texts } from "../texts.ts";

export const upstreams: Texts<typeof english> = {
  title: "上游",
  state: { up: "正常", down: "无应答", unknown: "尚未询问" },
  inFlight_one: "{{count, number}} 个请求",
  inFlight_other: "{{count, number}} 个请求",
};
