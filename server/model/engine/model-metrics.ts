/**
 * The metrics of the model service beyond those of its requests. Times have the names of OpenTelemetry's conventions for generative AI;
 * there are none for queues, tokens of a server and memory.
 */
import type { MetricRegistry } from "../../http/metrics/metric-registry.ts";
import { shortName } from "../models/library/model-name.ts";
import type { NoteUsage } from "../reporting/usage.ts";
import type { Scheduler } from "./scheduler/scheduler.ts";

const firstTokenBounds = [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30, 60];
const tokenBounds = [0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5];

/**
 * @param keptBytes of the states of prompts on the disk
 * @returns receives what each request has taken; the names of models are those that are installed
 */
export function addModelMetrics(metrics: MetricRegistry, scheduler: Scheduler, keptBytes: () => number): NoteUsage {
  metrics.read("gauge", "hearth_model_requests_waiting", "Requests that wait for a model or in the queue.", () => [
    { value: scheduler.demand().waiting },
  ]);
  metrics.read("gauge", "hearth_model_requests_running", "Requests in progress at loaded models.", () => [
    { value: scheduler.demand().running },
  ]);
  metrics.read("gauge", "hearth_model_loaded", "Loaded models.", () => [{ value: scheduler.residents().length }]);
  metrics.read("gauge", "hearth_model_memory_bytes", "Memory of loaded models.", () =>
    scheduler.residents().flatMap(({ model, size, sizeVram }) => {
      const name = shortName(model.name);
      return [
        { value: size - sizeVram, labels: { gen_ai_request_model: name, memory: "system" } },
        { value: sizeVram, labels: { gen_ai_request_model: name, memory: "gpu" } },
      ];
    }),
  );
  metrics.read("gauge", "hearth_model_prompt_cache_bytes", "Size of prompt states on the disk.", () => [
    { value: keptBytes() },
  ]);
  const prompt = metrics.counter("hearth_model_prompt_tokens_total", "Number of prompt tokens.");
  const cached = metrics.counter(
    "hearth_model_prompt_cached_tokens_total",
    "Number of prompt tokens reused from earlier requests.",
  );
  const restored = metrics.counter(
    "hearth_model_prompt_restored_tokens_total",
    "Number of reused prompt tokens whose state was on the disk.",
  );
  const generated = metrics.counter("hearth_model_generated_tokens_total", "Number of answer tokens.");
  const recovered = metrics.counter(
    "hearth_model_recovered_calls_total",
    "Number of tool calls with wrong markup that were corrected.",
  );
  const firstToken = metrics.histogram(
    "gen_ai_server_time_to_first_token_seconds",
    "Time from a request to the first text of its answer, including queue and load.",
    firstTokenBounds,
  );
  const perToken = metrics.histogram(
    "gen_ai_server_time_per_output_token_seconds",
    "Average time of the engine per answer token.",
    tokenBounds,
  );
  return (usage) => {
    const labels = { gen_ai_request_model: usage.model };
    prompt.add(usage.promptTokens, labels);
    cached.add(usage.cachedTokens, labels);
    restored.add(usage.restoredTokens ?? 0, labels);
    generated.add(usage.generatedTokens, labels);
    if (usage.recoveredCalls !== undefined) recovered.add(usage.recoveredCalls, labels);
    if (usage.firstTextMs !== undefined) firstToken.of(labels).observe(usage.firstTextMs / 1_000);
    if (usage.generationNs !== undefined && usage.generatedTokens > 0)
      perToken.of(labels).observe(usage.generationNs / 1e9 / usage.generatedTokens);
  };
}
