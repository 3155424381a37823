/** Unclear words and sentences, each with a better one. A reader finds them nowhere. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { catalogues, readFiles, textsOf } from "../support/reader-texts.ts";

const unclear: Readonly<Record<string, string>> = {
  "Give money back": "Refund",
  "A phone cannot follow it here": "Real phones can't open this code.",
  "Has the order": "Order created",
  "Decides settle": "Decision: settle",
  "No event fits the filter": "No events match",
  "It hits so often and then no more": "How many times it fires.",
  "Fen that it is off by": "Difference in fen.",
  "has not the scope": "lacks the scope",
  "Who wants theirs deleted": "To delete your data, run …",
  "what is to stay belongs into": "put permanent settings in the environment",
  "SDKs with constant hosts": "SDKs with hard-coded hosts",
  "Seen from outside": "Operations",
  "where the engine thinks well of it": "otherwise the engine decides",
  "makes it go wrong on purpose": "breaks things on request",
  "One that a project's file names counts": "A project's config file may name …",
  代码从哪里来: "如何获取登录码",
  未下单成功: "下单失败",
  这里的码手机无法打开: "真实手机扫不开此码",
  才说出用户是谁: "平台很久才返回用户身份",
  替身: "主机接管",
  顶替: "接管",
  提供方: "平台",
  其应用就接受: "设备上的应用即可信任",
  夹具: "测试数据（fixture）",
  词元: "token",
  撤消: "撤销",
  磁盘满是一个回答: "磁盘写满时返回 503，不会崩溃",
  年轻到无法: "创建时间太近",
  "它会断线、说谎": "它会断线、返回错误数据",
  不算请求了什么: "视为未设置",
  最短的办法: "快速上手",
  "## 另见": "## 另请参阅",
  它不做什么: "局限",
};

/** The same in general, for texts of the program: a pattern, and the better words. */
const unclearKinds: readonly (readonly [RegExp, string])[] = [
  [/\b(?:is|are) not taken\b/, "is not accepted"],
  [/\b(?:does|do|did) not fit\b/, "does not match"],
  [/\b(?:a|an|\w+s) of (?:its|their|your) own\b/, "separate"],
  [/\btells? of\b/, "reports"],
  [/(?:[,;:(]|\bor) else\b|^Else\b|[.] Else\b/, "otherwise"],
  [/\bbeside\b(?!["'])/, "in addition to, together with"],
  [/^So (?:long|often|many|far)\b/, "Delay, Number …"],
  [/(?:^|[.!] )(?:Who|Whom|Whose|Whoever|What|Which) [^?]*[.]/, "a noun first"],
  [/\b[Tt]here (?:is|are) no\b/, "… does not exist, no … yet"],
  [/\b(?:is|are) no (?!longer\b|other\b|answer\b)[a-z]+\b/, "is not a …"],
  [/\bprovider simulator\b/i, "platform simulator"],
  [/\b(?:identity|payment) provider\b/, "platform"],
  [/tokens?\/sec|tok\/s/, "token/s"],
  [/令牌/, "token"],
  [/登录 code/, "登录码"],
  // The platform's own word for who gets a share of an order.
  [/(?<!分账)接收方/, "接收端"],
  [/^Answers (?:a|an|the|what|how)\b/, "Returns …"],
];

/** The text of a file with every line break as a space. */
const flowing = (file: string) => readFileSync(file, "utf8").replace(/\s*\n\s*(?:[*] )?/g, " ");

it.each(Object.entries(unclear))("no text that a user reads says `%s`, but `%s`", (phrase) => {
  expect(readFiles.filter((file) => flowing(file).includes(phrase))).toEqual([]);
});

const programTexts = catalogues.flatMap((file) => textsOf(file).map((text) => ({ file, text })));

it.each(unclearKinds)("no text of the program matches %s: say `%s`", (kind) => {
  expect(programTexts.filter(({ text }) => kind.test(text))).toEqual([]);
});
