/** The engine's own matcher of grammars, without a model. */
import { getLlama, LlamaGrammar, LlamaLogLevel } from "node-llama-cpp";

export async function createGrammarMatcher() {
  const llama = await getLlama({ gpu: false, build: "never", logLevel: LlamaLogLevel.error });
  return {
    /** Whether the whole text is one that the grammar generates. Throws for a grammar that the engine cannot read. */
    matcher(gbnf: string): (text: string) => boolean {
      const grammar = new LlamaGrammar(llama, { grammar: gbnf });
      return (text) => (grammar as unknown as { _testText(text: string): boolean })._testText(text);
    },
    dispose: () => llama.dispose(),
  };
}
export type GrammarMatcher = Awaited<ReturnType<typeof createGrammarMatcher>>;
