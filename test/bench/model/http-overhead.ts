/** What Hearth's HTTP adds to a token of the bare engine, at one thread and at all cores. */
import { ratio, spread } from "../statistics.ts";
import { hearthPeer, startBareEngine } from "./peers.ts";
import { inTurns, uniquePrompt, type ModelScene } from "./scene.ts";

const [promptTokens, answerTokens] = [32, 128];
/** A token is short against the noise of other programs: more rounds than elsewhere. */
const moreRounds = 2;

async function measureAt(scene: ModelScene, url: string, threads: number): Promise<boolean> {
  const { window, file, rounds } = scene;
  await using bare = await startBareEngine({ file, window, threads });
  const ours = { peer: hearthPeer({ url, window, threads }), perToken: [] as number[] };
  const theirs = { peer: bare, perToken: [] as number[] };
  for (const { peer } of [ours, theirs]) await peer.generate({ prompt: uniquePrompt(16), tokens: 64 });
  await inTurns(moreRounds * rounds, [ours, theirs], async ({ peer, perToken }) => {
    const { restMs, tokens } = await peer.generate({ prompt: uniquePrompt(promptTokens), tokens: answerTokens });
    perToken.push(restMs / (tokens - 1));
  });
  for (const { peer, perToken } of [ours, theirs]) console.log(`${peer.name}: ${spread(perToken, 2)} ms a token`);
  return ratio(
    `time a streamed token, Hearth / bare engine, ${String(threads)} thread(s)`,
    ours.perToken,
    theirs.perToken,
    1.03,
    "at most",
  );
}

export async function measureHttpOverhead(scene: ModelScene): Promise<boolean> {
  const { fixedThreads, threadCounts } = scene;
  await using service = await scene.startService();
  const counts = fixedThreads === undefined ? [...new Set([1, threadCounts.at(-1) ?? 1])] : [fixedThreads];
  const results: boolean[] = [];
  for (const threads of counts) results.push(await measureAt(scene, service.url, threads));
  return results.every(Boolean);
}
