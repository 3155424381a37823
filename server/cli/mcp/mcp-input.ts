import { z } from "zod";
import { onOff, settingFlags } from "../../process/command-line/inputs.ts";

export const mcpInput = z
  .object({ read_only: onOff("offer only the tools that change nothing"), ...settingFlags("data_dir") })
  .describe(
    "A client starts this command and talks to it on stdin and stdout. Without a running Hearth, each tool explains how to start one. \
The setting mcp serves the same at /mcp of the console's port.",
  );
