/** Four clients at a time: equal ones, unequal ones that come and go, and one that does not read. */
import { ratio, spread } from "../statistics.ts";
import { hearthBody, hearthPeer, startBareEngine, type HearthAsking, type ModelPeer } from "./peers.ts";
import { stalledReader } from "./read-stream.ts";
import { inTurns, tokensPerSecond, uniquePrompt, type ModelScene } from "./scene.ts";

const [promptTokens, answerTokens] = [32, 128];
/**
 * The unequal work, shared among the clients: prompts and answers as long as the equal ones on average, and every fourth
 * client goes away before its answer is whole.
 */
const unequalWork = Array.from({ length: 24 }, (_, i) => ({
  prompt: [8, 64, 16, 40][i % 4] ?? promptTokens,
  tokens: [48, 256, 80, 128, 32, 224][i % 6] ?? answerTokens,
  leaveAfter: i % 4 === 3 ? 20 + 5 * (i % 8) : undefined,
}));

const times = <Value>(count: number, make: () => Value): Value[] => Array.from({ length: count }, make);

/**
 * Tokens a second of all clients together, prompts included in the time; and of their lines, which may hold several: an
 * answer that is not waited for tells no more of itself.
 */
async function equalClients(peer: ModelPeer, clients: number) {
  let lines = 0;
  const began = performance.now();
  const ask = () => peer.generate({ prompt: uniquePrompt(promptTokens), tokens: answerTokens, onToken: () => lines++ });
  const runs = await Promise.all(times(clients, ask));
  const ms = performance.now() - began;
  const tokens = runs.reduce((sum, run) => sum + run.tokens, 0);
  return { together: tokensPerSecond(tokens, ms), linesTogether: tokensPerSecond(lines, ms), runs };
}

/** Lines a second while all clients are busy: counting ends when the first one finds no more work. */
async function unequalClients(peer: ModelPeer, clients: number): Promise<number> {
  const left = [...unequalWork];
  const began = performance.now();
  let [lines, result] = [0, 0];
  const client = async () => {
    for (let work = left.shift(); work !== undefined; work = left.shift())
      await peer.generate({ ...work, prompt: uniquePrompt(work.prompt), onToken: () => lines++ });
    result ||= tokensPerSecond(lines, performance.now() - began);
  };
  await Promise.all(times(clients, client));
  return result;
}

/** Tokens a second of the slowest of the others, beside one that asks for much and reads nothing. */
async function besideStalled(asking: HearthAsking, peer: ModelPeer, clients: number): Promise<number> {
  const body = hearthBody(
    { ...asking, options: { num_predict: -1 } },
    { prompt: uniquePrompt(promptTokens), tokens: 0 },
  );
  const leave = await stalledReader(`${asking.url}/api/generate`, body);
  try {
    return slowest((await equalClients(peer, clients - 1)).runs);
  } finally {
    leave();
  }
}

const slowest = (runs: readonly { tokens: number; restMs: number }[]) =>
  Math.min(...runs.map(({ tokens, restMs }) => tokensPerSecond(tokens - 1, restMs)));

export async function measureFourClients(scene: ModelScene): Promise<boolean> {
  const { rounds, window, file, clients, fixedThreads: threads } = scene;
  await using server = await scene.startBestLlamaServer();
  await using service = await scene.startService();
  const bareThreads = threads ?? scene.threadCounts.at(-1) ?? 1;
  await using bare = await startBareEngine({ file, window, threads: bareThreads }, clients);
  const asking = { url: service.url, window, threads };
  const ours = hearthPeer(asking);
  const series = () => [] as number[];
  const [equal, theirs, alone, reading, stalled] = [series(), series(), series(), series(), series()];
  const lines = { equal: series(), unequal: series() };
  const steps = [
    async () => {
      const { together, linesTogether, runs } = await equalClients(ours, clients);
      equal.push(together);
      lines.equal.push(linesTogether);
      reading.push(slowest(runs));
    },
    async () => {
      if (server) theirs.push((await equalClients(server, clients)).together);
    },
    async () => {
      const prompts = times(clients, () => uniquePrompt(promptTokens));
      alone.push(tokensPerSecond(clients * answerTokens, await bare.generateTogether(prompts, answerTokens)));
    },
    async () => void lines.unequal.push(await unequalClients(ours, clients)),
    async () => void stalled.push(await besideStalled(asking, ours, clients)),
  ];
  for (const peer of server ? [ours, server] : [ours]) await peer.generate({ prompt: uniquePrompt(16), tokens: 32 });
  await inTurns(rounds, steps, (step) => step());
  console.log(`${ours.name}: ${spread(equal)} tokens/s together, in ${spread(lines.equal)} lines/s`);
  console.log(`  of unequal lengths, some leaving: ${spread(lines.unequal)} lines/s`);
  console.log(
    `  the slowest of them ${spread(reading, 1)} tokens/s; beside one that does not read ${spread(stalled, 1)}`,
  );
  if (server) console.log(`${server.name}: ${spread(theirs)} tokens/s together`);
  console.log(`${bare.name}, a token of each at a time: ${spread(alone)} tokens/s together`);
  return [
    ratio(`${String(clients)} clients, Hearth / bare engine`, equal, alone, 0.95),
    ...(server ? [ratio(`${String(clients)} clients, Hearth / llama-server`, equal, theirs, 1)] : []),
    ratio("unequal lengths, joins and aborts / equal lengths", lines.unequal, lines.equal, 0.8),
    ratio("slowest client beside one that does not read / beside one that reads", stalled, reading, 1),
  ].every(Boolean);
}
