/** A program that compares runs with mounts, from the first seed to the last, and prints the comparisons. */
import { compareWithInotifywait } from "./compare-with-inotifywait.ts";

const [first = "", last = ""] = process.argv.slice(2);
for (let seed = Number(first); seed <= Number(last); seed++) {
  const comparison = await compareWithInotifywait({
    seed,
    pace: seed % 2 === 0 ? "shell" : "program",
    withMounts: true,
  });
  process.stdout.write(`${JSON.stringify({ seed, ...comparison })}\n`);
}
