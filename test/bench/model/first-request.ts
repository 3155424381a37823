/** The first request to an installed model of 15 MB: after the start, and when it has been unloaded. */
import { setTimeout as wait } from "node:timers/promises";
import { atMost, median, spread } from "../statistics.ts";
import { hearthPeer, type ModelPeer } from "./peers.ts";
import { uniquePrompt, type ModelScene } from "./scene.ts";

const barMs = 400;
const shape = { layers: 9, width: 384, heads: 6, kvHeads: 3, feedForward: 1024, vocabulary: 16_000 };

const firstToken = async (peer: ModelPeer) => (await peer.generate({ prompt: uniquePrompt(16), tokens: 1 })).firstMs;

async function unload(url: string): Promise<void> {
  await fetch(`${url}/api/generate`, { method: "POST", body: JSON.stringify({ model: "bench", keep_alive: 0 }) });
  while (((await (await fetch(`${url}/api/ps`)).json()) as { models: unknown[] }).models.length > 0) await wait(20);
}

export async function measureFirstRequest(scene: ModelScene): Promise<boolean> {
  const file = scene.writeModel("15mb", shape);
  const [started, unloaded]: [number[], number[]] = [[], []];
  for (let round = 0; round < scene.rounds; round++) {
    await using service = await scene.startService(file);
    const peer = hearthPeer({ url: service.url, window: scene.window });
    started.push(await firstToken(peer));
    await unload(service.url);
    unloaded.push(await firstToken(peer));
  }
  console.log(`from the connection to the first token: ${spread(started)} ms as soon as Hearth is ready,`);
  console.log(`  ${spread(unloaded)} ms after the model was unloaded`);
  return [
    atMost("first request of all, ms", median(started), barMs),
    atMost("first request after the model was unloaded, ms", median(unloaded), barMs),
  ].every(Boolean);
}
