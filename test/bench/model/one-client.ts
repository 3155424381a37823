/** One client: prompt and generation speed, the first token cold and with the prompt's beginning in the cache. */
import { ratio, spread } from "../statistics.ts";
import { hearthPeer, type ModelPeer } from "./peers.ts";
import { inTurns, tokensPerSecond, uniquePrompt, type ModelScene } from "./scene.ts";

const [promptTokens, addedTokens, answerTokens] = [512, 8, 128];

const createSeries = () => ({
  prompt: [] as number[],
  generation: [] as number[],
  firstMs: [] as number[],
  cachedMs: [] as number[],
});

export async function measureOneClient(scene: ModelScene): Promise<boolean> {
  const { rounds, window, fixedThreads: threads } = scene;
  await using server = await scene.startBestLlamaServer();
  await using service = await scene.startService();
  const ours = { peer: hearthPeer({ url: service.url, window, threads }), series: createSeries() };
  const theirs = server && { peer: server, series: createSeries() };
  const all: { peer: ModelPeer; series: ReturnType<typeof createSeries> }[] = theirs ? [ours, theirs] : [ours];
  for (const { peer } of all) await peer.generate({ prompt: uniquePrompt(16), tokens: 32 });
  await inTurns(rounds, all, async ({ peer, series }) => {
    const prompt = uniquePrompt(promptTokens);
    const cold = await peer.generate({ prompt, tokens: answerTokens });
    const cached = await peer.generate({ prompt: `${prompt} ${uniquePrompt(addedTokens)}`, tokens: 4 });
    series.prompt.push(tokensPerSecond(cold.promptTokens, cold.firstMs));
    series.generation.push(tokensPerSecond(cold.tokens - 1, cold.restMs));
    series.firstMs.push(cold.firstMs);
    series.cachedMs.push(cached.firstMs);
  });
  for (const { peer, series } of all) {
    console.log(
      `${peer.name}: prompt ${spread(series.prompt)} tokens/s, generation ${spread(series.generation, 1)} tokens/s`,
    );
    console.log(`  first token ${spread(series.firstMs)} ms, ${spread(series.cachedMs)} ms with a cached beginning`);
  }
  if (theirs === undefined) return true;
  const [a, b] = [ours.series, theirs.series];
  return [
    ratio("prompt speed, Hearth / llama-server", a.prompt, b.prompt, 1),
    ratio("generation speed, Hearth / llama-server", a.generation, b.generation, 1),
    ratio("time to the first token, Hearth / llama-server", a.firstMs, b.firstMs, 1, "at most"),
    ratio("time to the first token, cached, Hearth / llama-server", a.cachedMs, b.cachedMs, 1, "at most"),
  ].every(Boolean);
}
