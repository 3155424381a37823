/** Templates of Go's text/template, as Ollama's own models and Modelfiles have. None is run: known ones have a Jinja. */

/** The words with which an action of Go begins, unless with a name, which has a dot or a dollar before it. */
const goWords = new Set(
  ". $ if else end range with template define block break continue json eq ne and or not len index slice currentDate".split(
    " ",
  ),
);
const actionStart = /\{\{-?\s*([.$]|\w+(?![\w(]))/g;

/**
 * Whether the text is a template of Go's text/template and not Jinja: the two share their braces, but no statement of Jinja
 * stands in double ones, no name in it begins with a dot, and its functions are called with parentheses.
 */
export const isGoTemplate = (text: string) =>
  !text.includes("{%") && [...text.matchAll(actionStart)].some(([, word = ""]) => goWords.has(word));

interface Family {
  /** The text that tells it from those behind it in the list. */
  readonly mark: string;
  /** All text that its templates have outside of actions. */
  readonly words: readonly string[];
  readonly jinja: string;
}

const roles = ["system", "user", "assistant"];

/** One part for each message. */
const perMessage = (part: string, ending: string) =>
  `{%- for message in messages %}${part}{%- endfor %}{%- if add_generation_prompt %}${ending}{%- endif %}`;
/** For formats without a part for it, the system message goes before the next user's. */
const withSystem = (part: string, ending: string) =>
  "{%- set ns = namespace(system='') %}" +
  perMessage(
    "{%- if message.role == 'system' %}{%- set ns.system = message.content %}{%- else %}" +
      `${part}{%- if message.role == 'user' %}{%- set ns.system = '' %}{%- endif %}{%- endif %}`,
    ending,
  );

const families: readonly Family[] = [
  {
    mark: "<|im_start|>",
    words: ["<|im_start|>", "<|im_end|>", ...roles],
    jinja: perMessage(
      "{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}",
      "{{ '<|im_start|>assistant\\n' }}",
    ),
  },
  {
    mark: "<|start_header_id|>",
    words: ["<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>", ...roles],
    jinja: perMessage(
      "{{ '<|start_header_id|>' + message.role + '<|end_header_id|>\\n\\n' + message.content + '<|eot_id|>' }}",
      "{{ '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}",
    ),
  },
  {
    mark: "<start_of_turn>",
    words: ["<bos>", "<start_of_turn>", "<end_of_turn>", "user", "model"],
    jinja: withSystem(
      "{{ '<start_of_turn>' + ('model' if message.role == 'assistant' else 'user') + '\\n' }}" +
        "{%- if message.role == 'user' and ns.system %}{{ ns.system + '\\n' }}{%- endif %}" +
        "{{ message.content + '<end_of_turn>\\n' }}",
      "{{ '<start_of_turn>model\\n' }}",
    ),
  },
  {
    mark: "<<SYS>>",
    words: ["<s>", "</s>", "[INST]", "[/INST]", "<<SYS>>", "<</SYS>>"],
    jinja: withSystem(
      "{%- if message.role == 'user' %}{{ ('' if loop.first or ns.system else '<s>') + '[INST] ' }}" +
        "{%- if ns.system %}{{ '<<SYS>>\\n' + ns.system + '\\n<</SYS>>\\n\\n' }}{%- endif %}" +
        "{{ message.content + ' [/INST]' }}{%- else %}{{ ' ' + message.content + '</s>' }}{%- endif %}",
      "",
    ),
  },
  {
    mark: "[INST]",
    words: ["<s>", "</s>", "[INST]", "[/INST]"],
    jinja: withSystem(
      "{%- if message.role == 'user' %}{{ '[INST] ' + (ns.system + '\\n\\n' if ns.system else '') + message.content + '[/INST]' }}" +
        "{%- else %}{{ ' ' + message.content + '</s>' }}{%- endif %}",
      "",
    ),
  },
  {
    mark: "<|end|>",
    words: ["<|system|>", "<|user|>", "<|assistant|>", "<|end|>", "<|", "|>"],
    jinja: perMessage(
      "{{ '<|' + message.role + '|>\\n' + message.content + '<|end|>\\n' }}",
      "{{ '<|assistant|>\\n' }}",
    ),
  },
  {
    mark: "<|assistant|>",
    words: ["<|system|>", "<|user|>", "<|assistant|>", "</s>", "<|", "|>"],
    jinja: perMessage("{{ '<|' + message.role + '|>\\n' + message.content + '</s>\\n' }}", "{{ '<|assistant|>\\n' }}"),
  },
  {
    mark: "ASSISTANT:",
    words: ["USER:", "ASSISTANT:", "</s>"],
    jinja: withSystem(
      "{%- if message.role == 'user' %}{{ (ns.system + '\\n\\n' if ns.system else '') + 'USER: ' + message.content + '\\n' }}" +
        "{%- else %}{{ 'ASSISTANT: ' + message.content + '</s>\\n' }}{%- endif %}",
      "{{ 'ASSISTANT:' }}",
    ),
  },
  {
    mark: "### Response:",
    words: ["### Instruction:", "### Response:"],
    jinja: withSystem(
      "{%- if message.role == 'user' %}{{ (ns.system + '\\n\\n' if ns.system else '') + '### Instruction:\\n' + message.content + '\\n\\n' }}" +
        "{%- else %}{{ '### Response:\\n' + message.content + '\\n\\n' }}{%- endif %}",
      "{{ '### Response:\\n' }}",
    ),
  },
];

/**
 * The counterpart of `{{ .Prompt }}`, Ollama's template for a model that has none: the text unchanged. Our choice for
 * a chat: blank lines between its texts, and the system message first, which Ollama leaves out.
 */
export const plainJinja = "{{ messages | selectattr('content') | map(attribute='content') | join('\\n\\n') }}";

const action = /\{\{[^{}]*\}\}/g;
/** Marks of a template beyond a plain chat: tools, thoughts, text behind a gap, functions that make text. */
const beyondChat = /\.(?:Tool|Suffix|Think|Function|IsThink)|\b(?:json|currentDate|template|define|block)\b/;
const quoted = /"([^"]*)"|`([^`]*)`/g;
const joins = String.raw`%s\n\n%s`;
const harmless = new Set([...roles, "", joins]);

function isPlainAction(text: string): boolean {
  return (
    !beyondChat.test(text) && [...text.matchAll(quoted)].every(([, one, other]) => harmless.has(one ?? other ?? ""))
  );
}

/** The text without the words, the longest removed first. */
const without = (text: string, words: readonly string[]) =>
  [...words].sort((a, b) => b.length - a.length).reduce((rest, word) => rest.replaceAll(word, ""), text);

/**
 * Jinja that says the same as a Go template of a common format; undefined for one that says anything else as well, such as
 * words of its own or tools.
 */
export function jinjaForGo(template: string): string | undefined {
  if (!(template.match(action) ?? []).every(isPlainAction)) return undefined;
  const text = template.replaceAll(action, "\n");
  if (text.trim() === "") return /\.(?:Prompt|Content)\b/.test(template) ? plainJinja : undefined;
  const family = families.find(({ mark }) => text.includes(mark));
  return family !== undefined && without(text, family.words).trim() === "" ? family.jinja : undefined;
}
