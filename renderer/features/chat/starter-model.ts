import { isSameModel } from "../../api/queries/model-name.ts";
import type { Turn } from "./conversations/conversation.ts";

/** Whether it is the model that ships with Hearth. */
export const isStarter = (model: string | undefined): boolean =>
  model !== undefined && isSameModel(model, "hearth-starter");

/** The command that the starter model names, in every language, where it does not know an answer. */
const pullCommand = "hearth pull MODEL";

/** Whether the starter model has refused: it names the command, or the service offers questions in its place. */
export const isStarterRefusal = ({ model, content, suggestions }: Turn): boolean =>
  suggestions !== undefined || (isStarter(model) && content.includes(pullCommand));
