import { z } from "zod";
import { createToken } from "../../contract/console/console-endpoints.ts";
import { tokenSchema } from "../../contract/console/console.ts";
import { argument } from "../../process/command-line/inputs.ts";
import { action } from "../action.ts";

export const login = action({
  name: "login",
  group: "Use the running Hearth",
  summary: "log a simulated user in completely and print the session token, for TOKEN=$(hearth login ada)",
  input: z.object({ user: argument("USER", "simulated user, created if missing", "login needs a user, such as ada") }),
  output: z.object({ user: z.string(), ...tokenSchema.shape }),
  effect: "changes",
  run: async (hearth, { user }, signal) => ({ user, ...(await hearth.call(createToken, { body: { user }, signal })) }),
  print: ({ access_token }) => access_token,
});
