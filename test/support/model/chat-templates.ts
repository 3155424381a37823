/** Chat templates on a thread of their own, with the limits that the settings have by default. */
import { createTemplateRenderer } from "../../../server/foreign/template-renderer.ts";
import { createChatTemplates } from "../../../server/model/chat/prompt/chat-template.ts";
import { familyTemplates, type Family } from "./family-templates.ts";

export const templateLimits = { deadlineMs: 250, mostCharacters: 4 * 1024 * 1024 };

export function openChatTemplates() {
  const renderer = createTemplateRenderer(templateLimits);
  const templates = createChatTemplates(renderer);
  return {
    of: (family: Family) => templates.compile(family, familyTemplates[family]),
    compile: (text: string) => templates.compile("test", text),
    close: () => renderer.close(),
  };
}
