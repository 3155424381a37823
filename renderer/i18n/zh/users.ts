import type { users as english } from "../en/users.ts";
import type { Texts } from "../texts.ts";

export const users: Texts<typeof english> = {
  title: "用户",
};
