/** Sentences that were unclear, by a better one. They stand nowhere any more in what a user reads. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const unclear: Readonly<Record<string, string>> = {
  "Give money back": "Refund",
  "A phone cannot follow it here": "Real phones can't open this code.",
  "Has the order": "Order created",
  "No event fits the filter": "No events match",
  "It hits so often and then no more": "How many times it fires.",
  '"So long."': "Delay in milliseconds.",
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
  其应用就接受: "设备上的应用即可信任",
  夹具: "测试数据（fixture）",
  词元: "token",
  磁盘满是一个回答: "磁盘写满时返回 503，不会崩溃",
  年轻到无法: "创建时间太近",
  "它会断线、说谎": "它会断线、返回错误数据",
  不算请求了什么: "视为未设置",
  最短的办法: "快速上手",
  "## 另见": "## 另请参阅",
  它不做什么: "局限",
};

const read = ["docs", "renderer", "server", "electron", "README.md", "README.zh-CN.md", ".github"];
const files = execFileSync("git", ["ls-files", ...read], { encoding: "utf8" })
  .split("\n")
  .filter((file) => /[.](?:md|tsx?)$/.test(file) && !file.startsWith("docs/decisions/"));

it.each(Object.entries(unclear))("no text that a user reads says `%s`, but `%s`", (phrase) => {
  expect(files.filter((file) => readFileSync(file, "utf8").includes(phrase))).toEqual([]);
});
