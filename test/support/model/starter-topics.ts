/** The starter model's file beside topics of the test's own: what is near to what does not change with the shipped ones. */
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packTopics, packVector, topicsFile, type Topic } from "../../../server/model/starter/topics.ts";
import { starterFile } from "../../../server/model/starter/starter-file.ts";

const topics: readonly Topic[] = [
  {
    id: "avatar",
    name: { en: "uploading an avatar", zh: "上传头像" },
    question: { en: "How do I upload an avatar?", zh: "怎么上传头像？" },
    begins: { en: "POST /api/avatars as multipart with the part", zh: "以 multipart 请求 POST /api/avatars" },
    bias: 0,
    terms: { avatar: 20, photo: 10, 头像: 20, 照: 10, "=how do i upload an avatar": 100, "=怎么上传头像": 100 },
  },
  {
    id: "download",
    name: { en: "downloading an upload", zh: "下载上传" },
    question: { en: "How do I download an uploaded file?", zh: "怎么下载上传的文件？" },
    begins: { en: "GET /api/uploads/ID/content", zh: "带令牌 GET /api/uploads/ID/content" },
    bias: 0,
    terms: { photo: 9.8, 照: 9.8 },
  },
  {
    id: "ports",
    name: { en: "ports", zh: "端口" },
    question: { en: "Which ports does Hearth use?", zh: "Hearth 用哪些端口？" },
    begins: { en: "3080, 3081 and 11434", zh: "3080、3081 和 11434" },
    bias: 0,
    terms: { port: 20 },
  },
  {
    id: "speak-chinese",
    question: { en: "please speak chinese", zh: "请说中文" },
    begins: { en: "好的，我们用中文聊", zh: "好的，我们用中文聊" },
    bias: 0,
    terms: { chinese: 20, "=please speak chinese": 100 },
  },
];
/** Asks for an avatar or a download; asks for an avatar, surely; is small talk, surely; has nothing to do with any topic. */
export const vague = { en: "A photo?", zh: "照片？" };
export const sure = "My avatar, please";
export const talk = "In Chinese";
export const far = "zzz";

/**
 * @param ports the direction of the vectors of questions about ports; no topic has one unless given
 * @returns the path of the model in the folder
 */
export function starterWithTopics(folder: string, ports?: readonly number[]): string {
  const file = join(folder, "hearth-starter.gguf");
  symlinkSync(starterFile(join(import.meta.dirname, "../../../server/model")), file);
  const noise: Topic[] = Array.from({ length: 60 }, (_, index) => ({
    id: `topic-${index}`,
    name: { en: `topic ${index}`, zh: `主题 ${index}` },
    begins: { en: `about ${index}`, zh: `关于 ${index}` },
    bias: 0,
    terms: {},
  }));
  const known = topics.map((topic) =>
    ports && topic.name?.en === "ports" ? { ...topic, vector: packVector(ports) } : topic,
  );
  writeFileSync(join(folder, topicsFile), packTopics([...known, ...noise]));
  return file;
}
