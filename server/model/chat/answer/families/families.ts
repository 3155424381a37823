/** All families. Where two write the same, the more special one comes first. */
import {
  apertus,
  cohere,
  commandR,
  gigaChat,
  gigaChat31,
  miniMaxM1,
  nemotronNano,
  toolCallsList,
} from "./call-lists.ts";
import { deepSeekV32, deepSeekV4, glm, hunyuan3, kimiK3, miniCpm, miniMaxM2, qwenCoder, seedOss } from "./elements.ts";
import type { Family } from "./family.ts";
import { functionGemma, gemma4 } from "./gemma.ts";
import { glimmer } from "./glimmer.ts";
import { harmony } from "./harmony.ts";
import { hermes } from "./hermes.ts";
import { bareList, bareObject, llama } from "./llama.ts";
import { miniMaxM3 } from "./minimax-m3.ts";
import { mistralList, mistralNamed } from "./mistral.ts";
import { deepSeekFenced, deepSeekNamed, functionary31, functionary32, kimiK2 } from "./named-calls.ts";
import { fireFunction, phi } from "./phi.ts";
import { lfm2, llama4, olmo3, pythonic } from "./pythonic.ts";

export const families: readonly Family[] = [
  harmony,
  glimmer,
  gemma4,
  functionGemma,
  deepSeekFenced,
  deepSeekNamed,
  deepSeekV32,
  deepSeekV4,
  kimiK2,
  kimiK3,
  cohere,
  commandR,
  apertus,
  gigaChat,
  gigaChat31,
  seedOss,
  miniMaxM3,
  miniMaxM2,
  miniMaxM1,
  toolCallsList,
  nemotronNano,
  hunyuan3,
  qwenCoder,
  glm,
  miniCpm,
  functionary31,
  functionary32,
  mistralNamed,
  mistralList,
  phi,
  fireFunction,
  lfm2,
  olmo3,
  hermes,
  llama4,
  pythonic,
  llama,
  bareList,
  bareObject,
];
