/** One core is busy with something else: the automatic number of threads beside fixed ones, and no long pauses. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { atMost, median, ratio, spread } from "../statistics.ts";
import { hearthPeer } from "./peers.ts";
import { inTurns, tokensPerSecond, uniquePrompt, type ModelScene } from "./scene.ts";

const answerTokens = 96;
/** Far above any token of a model that fits a laptop, far below the minute that two threads may stall for. */
const longestPauseMs = 2000;

function startBusyCore(): AsyncDisposable {
  const child = spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" });
  return {
    async [Symbol.asyncDispose]() {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

export async function measureBusyCore(scene: ModelScene): Promise<boolean> {
  const { rounds, window, threadCounts } = scene;
  await using service = await scene.startService();
  const settings = [undefined, ...threadCounts].map((threads) => ({
    peer: hearthPeer({ url: service.url, window, threads }),
    speeds: [] as number[],
    pauses: [] as number[],
  }));
  await inTurns(rounds, settings, async ({ peer, speeds, pauses }) => {
    // Other threads are another load of the model: that is not what is measured.
    await peer.generate({ prompt: uniquePrompt(16), tokens: 8 });
    // Half of the time it is busy from the beginning, half of the time that begins in the middle of an answer.
    await using busy = new AsyncDisposableStack();
    busy.use(startBusyCore());
    const figures = await peer.generate({ prompt: uniquePrompt(16), tokens: answerTokens });
    speeds.push(tokensPerSecond(figures.tokens - 1, figures.restMs));
    await busy.disposeAsync();
    await using late = new AsyncDisposableStack();
    let tokens = 0;
    const onToken = () => {
      if (++tokens === answerTokens / 2) late.use(startBusyCore());
    };
    const surprised = await peer.generate({ prompt: uniquePrompt(16), tokens: answerTokens, onToken });
    pauses.push(figures.longestMs, surprised.longestMs);
  });
  for (const { peer, speeds, pauses } of settings)
    console.log(`${peer.name}: ${spread(speeds, 1)} tokens/s, longest pause ${spread(pauses)} ms`);
  const [automatic, ...fixed] = settings;
  const [best] = fixed.sort((a, b) => median(b.speeds) - median(a.speeds));
  if (automatic === undefined || best === undefined) return false;
  return [
    ratio(`automatic threads / the best fixed number (${best.peer.name})`, automatic.speeds, best.speeds, 1),
    atMost("longest pause between two tokens, automatic, ms", Math.max(...automatic.pauses), longestPauseMs),
  ].every(Boolean);
}
