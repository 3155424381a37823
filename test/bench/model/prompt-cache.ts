/** A prompt of 2,000 tokens cold and after a restart, beside the slots that llama.cpp's own server saves and restores. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { listKeptFiles, promptCacheRoot } from "../../../server/process/prompt-cache-files.ts";
import { ratio, spread } from "../statistics.ts";
import { hearthPeer, howToGetLlamaServer, startLlamaServer, type LlamaServer, type ModelPeer } from "./peers.ts";
import type { Figures } from "./read-stream.ts";
import { inTurns, uniquePrompt, type ModelScene } from "./scene.ts";

const [promptTokens, answerTokens, window] = [2_000, 16, 4_096];
const most = 0.15;
const threads = 2;

interface Side {
  readonly name: string;
  readonly coldMs: number[];
  readonly restoredMs: number[];
  /** Generates with a model that is loaded, in a run of its own: the first one, or the one after it. */
  readonly inRun: (ask: (peer: ModelPeer) => Promise<Figures>, isAgain: boolean) => Promise<Figures>;
}

async function measureRound(side: Side, name: string): Promise<boolean> {
  const prompt = uniquePrompt(promptTokens);
  const ask = (peer: ModelPeer) => peer.generate({ prompt, tokens: answerTokens });
  const cold = await side.inRun(ask, false);
  const restored = await side.inRun(ask, true);
  side.coldMs.push(cold.firstMs);
  side.restoredMs.push(restored.firstMs);
  if (cold.text !== restored.text) console.log(`MISS ${name}: the text after the restart is another one`);
  return cold.text === restored.text;
}

/** Loads the model by a short prompt first. */
const load = (peer: ModelPeer) => peer.generate({ prompt: uniquePrompt(16), tokens: 1 });

function hearthSide(scene: ModelScene, data: string, endMs: number[]): Side {
  return {
    name: "Hearth",
    coldMs: [],
    restoredMs: [],
    async inRun(ask) {
      const service = await scene.startService(scene.file, data);
      const peer = hearthPeer({ url: service.url, window, threads });
      await load(peer);
      const figures = await ask(peer);
      const began = performance.now();
      await service[Symbol.asyncDispose]();
      endMs.push(performance.now() - began);
      return figures;
    },
  };
}

/** Its client has to save the slot and to restore it, which counts to the first token. */
function llamaServerSide(slots: string, start: () => Promise<LlamaServer | undefined>): Side {
  const slot = async ({ url }: LlamaServer, action: string) => {
    const init = { method: "POST", body: JSON.stringify({ filename: "slot.bin" }) };
    const reply = await fetch(`${url}/slots/0?action=${action}`, init);
    if (!reply.ok) throw new Error(`${slots}: ${await reply.text()}`);
  };
  return {
    name: "llama-server",
    coldMs: [],
    restoredMs: [],
    async inRun(ask, isAgain) {
      await using server = await start();
      if (server === undefined) throw new Error(howToGetLlamaServer);
      await load(server);
      const began = performance.now();
      if (isAgain) await slot(server, "restore");
      const restoreMs = performance.now() - began;
      const figures = await ask(server);
      if (!isAgain) await slot(server, "save");
      return { ...figures, firstMs: figures.firstMs + (isAgain ? restoreMs : 0) };
    },
  };
}

export async function measurePromptCache(scene: ModelScene): Promise<boolean> {
  const { folder, file, rounds } = scene;
  const [data, slots, endMs] = ["data-kept", join(folder, "slots"), [] as number[]];
  mkdirSync(slots);
  const start = () => startLlamaServer({ file, window, threads }, 1, ["--slot-save-path", slots]);
  const sides = [hearthSide(scene, data, endMs)];
  const server = await start();
  await server?.[Symbol.asyncDispose]();
  if (server === undefined) console.log(howToGetLlamaServer);
  else sides.push(llamaServerSide(slots, start));
  const same: boolean[] = [];
  await inTurns(rounds, sides, async (side) => void same.push(await measureRound(side, side.name)));
  const kept = listKeptFiles(promptCacheRoot(join(folder, data)));
  const bytes = kept.reduce((sum, one) => sum + one.bytes, 0);
  for (const { name, coldMs, restoredMs } of sides)
    console.log(`${name}: first token ${spread(coldMs)} ms cold, ${spread(restoredMs)} ms after a restart`);
  console.log(`Hearth: ${(bytes / kept.length / 2 / 1e6).toFixed(1)} MB per 1,000 tokens, end ${spread(endMs)} ms`);
  const [ours] = sides;
  const bars = sides.map(({ name, coldMs, restoredMs }) =>
    ratio(`time to the first token, ${name}, after a restart / cold`, restoredMs, coldMs, most, "at most"),
  );
  return ours !== undefined && bars[0] === true && same.every(Boolean);
}
