/** The texts around the thoughts of models. */
export interface ThoughtTags {
  readonly open: string;
  readonly close: string;
  /** A beginning of the same tag, which some models write instead. */
  readonly otherOpen?: string;
  /** Another text that ends thoughts: the beginning of the content. */
  readonly otherClose?: string;
  /** The text of templates that have these tags, where it is not the closing one. */
  readonly shownBy?: string;
}

export const thoughtTags: readonly ThoughtTags[] = [
  { open: "<think>", close: "</think>" },
  { open: "[THINK]", close: "[/THINK]" },
  { open: "<|channel>thought", otherOpen: "<|channel>", close: "<channel|>" },
  { open: "<thinking>", close: "</thinking>" },
  { open: "<seed:think>", close: "</seed:think>" },
  { open: "<|START_THINKING|>", close: "<|END_THINKING|>" },
  { open: "<mm:think>", close: "</mm:think>" },
  { open: "<think:opensource>", close: "</think:opensource>" },
  { open: "<|open|>think<|sep|>", close: "<|close|>think<|sep|>", otherClose: "<|open|>response<|sep|>" },
  { open: "Here are my reasoning steps:", close: "[BEGIN FINAL RESPONSE]" },
  {
    open: " to=self<|message|>",
    otherOpen: "<|start|>assistant to=self<|message|>",
    close: "<|eom|>",
    otherClose: "<|start|>assistant",
    shownBy: "assistant to=self<|message|>",
  },
  { open: "<|inner_prefix|>", close: "<|inner_suffix|>" },
];
