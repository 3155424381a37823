/** The input of `hearth completion`. */
import { z } from "zod";
import { valueArgument } from "../../process/command-line/inputs.ts";

export const completionInput = z
  .object({
    shell: valueArgument(
      z.enum(["bash", "zsh", "fish"], "completion needs bash, zsh or fish"),
      "SHELL",
      "bash, zsh or fish",
    ),
  })
  .describe(
    `bash: add the line  source <(hearth completion bash)  to ~/.bashrc. zsh: add  source <(hearth completion zsh)  to ~/.zshrc, \
after compinit. fish: run  hearth completion fish > ~/.config/fish/completions/hearth.fish  once.`,
  );

export type CompletionInput = z.output<typeof completionInput>;
