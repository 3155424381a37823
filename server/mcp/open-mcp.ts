import { actions } from "../actions/actions.ts";
import type { Middleware } from "../http/middleware.ts";
import type { Locate } from "./action-tools.ts";
import { hearthContent } from "./hearth-content.ts";
import { serveMcp } from "./serve-mcp.ts";

/** The endpoint for agents of a running Hearth. */
export async function openMcp(
  options: { readonly locate: Locate; readonly isReadOnly: boolean },
  version: string,
): Promise<Middleware> {
  return serveMcp(await hearthContent({ actions, ...options }), version);
}
