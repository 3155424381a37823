/** The first chat of somebody without a network: nothing has been downloaded, and nothing can be. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { canBeOffline, offline } from "../support/process/offline.ts";

const program = join(import.meta.dirname, "../support/console/offline-chat.ts");

it("answers in the window how to upload an avatar, in both languages", async () => {
  const asked = ["How do I upload an avatar?", "怎么上传头像？"];
  const [command = "", ...args] = [...offline, process.execPath, program, ...asked];
  const { stdout } = await promisify(execFile)(command, args);
  const printed = JSON.parse(stdout) as { outside: string; shown: string[]; pieces: number[] };
  const { outside, shown, pieces } = printed;
  if (canBeOffline) expect(outside).toBe("ENETUNREACH");
  for (const answer of shown) expect(answer).toContain("curl -F Avatar=@me.png http://127.0.0.1:3080/api/avatars");
  for (const count of pieces) expect(count).toBeGreaterThan(20);
  expect(shown[0]).not.toMatch(/\p{Script=Han}/u);
  expect(shown[1]).toMatch(/\p{Script=Han}/u);
});
