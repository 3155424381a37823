/** The formats of the families' templates without a round trip, for tests that parse. */
import { answerFormat, type AnswerFormat } from "../../../server/model/chat/answer/answer-format.ts";
import { families } from "../../../server/model/chat/answer/families/families.ts";
import { familyTemplates, type Family } from "./family-templates.ts";

/** The family whose calls each template writes. */
export const familyNames: Readonly<Record<Family, string | undefined>> = {
  qwen25: "hermes",
  qwen3: "hermes",
  qwenCoder: "qwen-coder",
  llama3: "llama-3",
  mistral: "mistral",
  magistral: "mistral-named",
  gemma2: undefined,
  functionGemma: "functiongemma",
  phi4Mini: "phi",
  deepSeekR1: "deepseek-v3",
  deepSeekV31: "deepseek-v3.1",
  gptOss: "harmony",
  glm45: "glm",
  llama4: "llama-4",
  llama4Pythonic: "pythonic",
};

/** The calls of a family by its name. */
export const callsOf = (name: string | undefined) => families.find((family) => family.name === name)?.calls;

export const formatOf = (family: Family): AnswerFormat =>
  answerFormat(familyTemplates[family], "", callsOf(familyNames[family]));
