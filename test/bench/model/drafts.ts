/** Guessing ahead from the prompt: what it brings where the answer copies the prompt, and what it costs elsewhere. */
import { createVocabulary } from "../../support/model/random-vocabulary.ts";
import { ratio, spread } from "../statistics.ts";
import { hearthPeer } from "./peers.ts";
import { inTurns, tokensPerSecond, uniquePrompt, type ModelScene } from "./scene.ts";

const answerTokens = 128;
/** Longer than prompt and answer without each other: the answer copies what stands once in the prompt. */
const circle = 160;
/** Words of the copy that the prompt begins itself. */
const begun = 8;

/** Words of two letters, each a token: so are all tokens of a circle that lies among them. */
function copyingPrompt(): string {
  const { texts, firstNormal } = createVocabulary(16_000);
  const circles = Array.from({ length: 10 }, (_, i) => firstNormal + i * circle);
  const words = circles
    .map((start) => texts.slice(start, start + circle))
    .find((some) => some.every((text) => /^▁[a-z]{2}$/.test(text)));
  if (words === undefined) throw new Error("no circle of words");
  return [...words, ...words.slice(0, begun)].map((text) => text.slice(1)).join(" ");
}

interface Task {
  readonly name: string;
  readonly file: string;
  readonly prompt: () => string;
  readonly options?: object;
  readonly bar: number;
}

async function measureTask(scene: ModelScene, { name, file, prompt, options, bar }: Task): Promise<boolean> {
  const { rounds, window, fixedThreads: threads } = scene;
  await using service = await scene.startService(file);
  const asking = { url: service.url, window, threads };
  const drafting = {
    peer: hearthPeer({ ...asking, name: "guessing", options: { ...options } }),
    speeds: [] as number[],
  };
  const plain = {
    peer: hearthPeer({ ...asking, name: "plain", options: { ...options, draft_num_predict: 0 } }),
    speeds: [] as number[],
  };
  // What pays is learnt from what was seen.
  for (const { peer } of [drafting, plain]) await peer.generate({ prompt: prompt(), tokens: answerTokens });
  await inTurns(rounds, [drafting, plain], async ({ peer, speeds }) => {
    const { tokens, restMs } = await peer.generate({ prompt: prompt(), tokens: answerTokens });
    speeds.push(tokensPerSecond(tokens - 1, restMs));
  });
  for (const { peer, speeds } of [drafting, plain]) console.log(`${name}, ${peer.name}: ${spread(speeds, 1)} tokens/s`);
  return ratio(`${name}, guessing / plain`, drafting.speeds, plain.speeds, bar);
}

export async function measureDrafts(scene: ModelScene): Promise<boolean> {
  const copying = copyingPrompt();
  const elsewhere = { file: scene.file, prompt: () => uniquePrompt(64), bar: 0.95 };
  const results = [
    await measureTask(scene, {
      name: "copying the prompt",
      file: scene.writeModel("copying", { circle }),
      prompt: () => copying,
      bar: 1.3,
    }),
    await measureTask(scene, { name: "no repetition", ...elsewhere }),
    await measureTask(scene, { name: "no repetition, drawn", ...elsewhere, options: { temperature: 0.8, seed: 1 } }),
  ];
  return results.every(Boolean);
}
