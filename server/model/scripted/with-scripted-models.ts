import type { Engine } from "../engine/engine.ts";
import type { ScriptedRules } from "../models/library/installed-model.ts";
import { ScriptedModel, type RuleCounts } from "./scripted-model.ts";

/** The engine, with models that answer by rules. Their counts outlive an unload; new rules begin at zero. */
export function withScriptedModels(engine: Engine): Engine {
  const counts = new WeakMap<ScriptedRules, RuleCounts>();
  return {
    async load(request, signal, onProgress) {
      const { rules } = request;
      if (rules === undefined) return engine.load(request, signal, onProgress);
      const known = counts.get(rules) ?? new Map();
      counts.set(rules, known);
      return new ScriptedModel(request, rules, known);
    },
    fit: (request, signal) => engine.fit(request, signal),
    close: () => engine.close(),
  };
}
