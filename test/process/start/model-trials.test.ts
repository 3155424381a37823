/** A started Hearth with a model that would end its runner: the supervisor tries the model in a process of its own. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { trialFiles } from "../../support/model/odd-gguf.ts";
import { launchHearth } from "../../support/process/launch.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

it("refuses a model that would end the runner, with the engine's reason, and keeps the runner", async () => {
  using folder = temporaryFolder();
  const [name, bytes, why] = trialFiles[0] ?? ["", Buffer.alloc(0), ""];
  writeFileSync(join(folder.path, `${name}.gguf`), bytes);
  await using hearth = launchHearth({ flags: ["--model", folder.path] });
  const { model } = await hearth.ready();
  const before = await hearth.pidOf("runner");
  for (let i = 0; i < 2; i++) {
    const reply = await fetch(`${String(model)}/api/generate`, {
      method: "POST",
      body: JSON.stringify({ model: name, prompt: "hi", stream: false }),
    });
    expect([reply.status, await reply.json()]).toEqual([500, { error: expect.stringContaining(why) as string }]);
  }
  expect(await hearth.pidOf("runner")).toBe(before);
});
