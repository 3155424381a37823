import { writeFileSync } from "node:fs";
import { parse } from "node:path";
import { createRunnerEngine } from "../../server/model/engine/runner-engine.ts";
import { startModelService } from "../../test/support/model/model-service.ts";
import { startRunner } from "../../test/support/model/runner-process.ts";
import { heldOutTasks } from "./corpus/held-out-tasks.ts";
import { Questions } from "./corpus/questions.ts";
import { Random } from "./corpus/random.ts";
import { readKnowledge } from "./corpus/topics.ts";
import { independentTasks } from "./evaluate/independent.ts";
import { judge } from "./evaluate/judge.ts";
import { termsOf } from "../../server/model/guidance/question-terms.ts";
const [file = "", out = "", limit = "10000"] = process.argv.slice(2);
const knowledge = readKnowledge();
const random = new Random(20);
const independent = independentTasks(knowledge);
const held = heldOutTasks(knowledge, new Questions(knowledge), random, { facts: Infinity, others: 40 }).filter(
  (t) => t.conversation.messages.length === 1 && !t.conversation.tools && !t.conversation.system && !t.schema,
);
const tasks = [...independent, ...held].slice(0, Number(limit));
// terms per topic, from what is asked
const topics = [...knowledge.byId.entries()];
const counts = topics.map(([id, t]) => {
  const c = new Map<string, number>();
  for (const l of ["en", "zh"] as const)
    for (const text of t[l].asked) for (const term of new Set(termsOf(text))) c.set(term, (c.get(term) ?? 0) + 1);
  return { id, c };
});
const df = new Map<string, number>();
for (const { c } of counts) for (const k of c.keys()) df.set(k, (df.get(k) ?? 0) + 1);
const vec = counts.map(({ id, c }) => {
  const w = [...c].map(([k, n]) => [k, (1 + Math.log(n)) * Math.log(counts.length / (df.get(k) ?? 1))] as const);
  const len = Math.hypot(...w.map(([, x]) => x));
  return { id, w: new Map(w.map(([k, x]) => [k, x / len])) };
});
const nearest = (text: string) => {
  const terms = [...new Set(termsOf(text))];
  return vec
    .map(({ id, w }) => ({ id, s: terms.reduce((a, t) => a + (w.get(t) ?? 0), 0) }))
    .sort((a, b) => b.s - a.s)
    .slice(0, 10);
};
const prefix = (a: string, b: string) => {
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  return i;
};
await using runner = await startRunner();
await using service = await startModelService(createRunnerEngine({ socketPath: runner.socketPath }), {
  starterFile: file,
  starterConfidence: 0,
});
const rows: unknown[] = [];
for (const task of tasks) {
  const content = task.conversation.messages.at(-1)?.content ?? "";
  const reply = await service.post("/api/chat", {
    model: parse(file).name,
    stream: false,
    logprobs: true,
    messages: task.conversation.messages.map(({ role, content }) => ({ role, content })),
    options: { temperature: 0, num_predict: 200 },
  });
  const body = (await reply.json()) as { message: { content: string }; logprobs?: { logprob: number }[] };
  const text = body.message.content;
  const lps = (body.logprobs ?? []).map(({ logprob }) => logprob);
  const verdict = judge(task.expected, task.language, { text, calls: [] });
  const told = topics.map(([id, t]) => ({ id, n: prefix(text, t[task.language].answer) })).sort((a, b) => b.n - a.n)[0];
  rows.push({
    kind: task.kind,
    language: task.language,
    asked: content,
    text,
    want: task.answer,
    verdict,
    lps: lps.slice(0, 40),
    told: told && told.n > 8 ? told.id : undefined,
    nearest: nearest(content),
  });
}
writeFileSync(out, rows.map((r) => JSON.stringify(r)).join("\n"));
console.log(rows.length);
