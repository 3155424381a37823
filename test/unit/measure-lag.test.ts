import { expect, it } from "vitest";
import { measureLag } from "../../server/http/conventions/not-ready.ts";

function beBusy(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

it("the measured lag is the delay of the event loop while its turns are long, and zero once they are short again", async () => {
  const { lagMs, stop } = measureLag();
  try {
    const turns = setInterval(() => beBusy(300), 1);
    await expect.poll(lagMs).toBeGreaterThan(100);
    clearInterval(turns);
    await expect.poll(lagMs).toBeLessThan(50);
  } finally {
    stop();
  }
});
