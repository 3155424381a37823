import type { SentenceTable } from "../translate.ts";

/** Predicates on a field: each follows the field's name. */
export const predicates: SentenceTable = {
  "is missing": "缺失",
  "is not a known field": "不是已知字段",
  "is not valid": "无效",
  "is not allowed": "不允许出现",
  "must not be empty": "不能为空",
  "must not have equal items": "不能有相同的元素",
  "fits none of the forms that are allowed here": "不符合此处允许的任何形式",
  "has a member whose name is not allowed": "含有名称不被允许的成员",
  "has an item that is not valid": "含有无效的元素",
  "must be {}": "必须是[0]",
  "must be {}, not {}": "必须是[0]，而不是[1]",
  "must be exactly {}": "必须是 {0}",
  "must be one of {}": "必须是以下之一：{0}",
  "must be a multiple of {}": "必须是 {0} 的倍数",
  "must be at least {}": "不能小于 {0}",
  "must be at most {}": "不能大于 {0}",
  "must be more than {}": "必须大于 {0}",
  "must be less than {}": "必须小于 {0}",
  "must have the format {}": "必须符合格式 {0}",
  "must fit the pattern {}": "必须匹配模式 {0}",
  "must have exactly {} character": "必须恰好有 {0} 个字符",
  "must have exactly {} characters": "必须恰好有 {0} 个字符",
  "must have at least {} characters": "至少要有 {0} 个字符",
  "must have more than {} characters": "必须多于 {0} 个字符",
  "must have at most {} character": "最多只能有 {0} 个字符",
  "must have at most {} characters": "最多只能有 {0} 个字符",
  "must have less than {} characters": "必须少于 {0} 个字符",
  "must have exactly {} item": "必须恰好有 {0} 个元素",
  "must have exactly {} items": "必须恰好有 {0} 个元素",
  "must have at least {} items": "至少要有 {0} 个元素",
  "must have at most {} bytes in UTF-8, not {}": "UTF-8 编码最多 {0} 字节，现为 {1} 字节",
  "must not hold emoji or other characters of four bytes in UTF-8": "不能含表情符号等 UTF-8 编码为四字节的字符",
  "must have at most {} item": "最多只能有 {0} 个元素",
  "must have at most {} items": "最多只能有 {0} 个元素",
  "must have at least {} members": "至少要有 {0} 个成员",
  "must have at most {} member": "最多只能有 {0} 个成员",
  "must have at most {} members": "最多只能有 {0} 个成员",
  "must have {} beside {}": "有 {1} 时还必须有 {0}",

  "must be 6 to 32 of 0-9 A-Z a-z _ - | *": "必须由 6 到 32 个 0-9 A-Z a-z _ - | * 组成",
  "must be 1 to 64 of 0-9 A-Z a-z _ - | * @": "必须由 1 到 64 个 0-9 A-Z a-z _ - | * @ 组成",
  "must not hold control characters": "不能含有控制字符",
  "must be the digits of a payment code": "必须是付款码的数字",
  "must be a method in upper case, or several with commas between": "必须是大写的方法名，多个之间用逗号分隔",
  "must be a method, or several with commas between": "必须是方法名，多个之间用逗号分隔",
  "must be a header's name": "必须是头的名称",
  "must be one line of Latin-1": "必须是一行 Latin-1 文本",
  "is written by the server: leave it out": "由服务器写入：请将其去掉",
  "X-Content-Type-Options must be nosniff, as in every answer: leave it out":
    "X-Content-Type-Options 只能是 nosniff，每个应答都是如此：请去掉",
  "would change cookies of the console, which know no port: leave it out":
    "会改动控制台的 Cookie（Cookie 不区分端口）：请将其去掉",
  "must be statuses such as 404, classes such as 4xx, or none": "必须是状态码（如 404）、状态类（如 4xx）或 none",
  "must be a uid such as u1": "必须是 uid，例如 u1",
  "must begin with '/' and be percent-encoded": "必须以“/”开头并采用百分号编码",
  'is no uid: "u" and a number, or empty for what belongs to nobody': "不是 uid：应为“u”加数字；不属于任何人时为空",
  "must be 1 to 64 printable ASCII characters without spaces": "必须是 1 到 64 个可打印的 ASCII 字符，且不含空格",
  "must be a path from its first '/': '*' stands for text without '/', {} for one segment, '**' at the end for everything below":
    "必须是从第一个“/”开始的路径：“*”代表不含“/”的文本，{0} 代表一段，末尾的“**”代表其下的一切",
  "belongs to nobody, so that nobody could read it: it cannot be private":
    "不属于任何人，设为私有后无人能读取，因此不能设为私有",
  "is in the document twice": "在文档中出现了两次",
  "cannot be checked by its schema: it takes longer than {} ms: make the schema simpler, or raise the setting foreign_deadline_ms":
    "无法按其模式检查：耗时超过 {0} 毫秒：请简化模式，或调高设置 foreign_deadline_ms",
  "cannot be checked by its schema (at the pattern {}): it takes longer than {} ms: make the schema simpler, or raise the setting foreign_deadline_ms":
    "无法按其模式检查（匹配模式 {0} 时）：耗时超过 {1} 毫秒：请简化模式，或调高设置 foreign_deadline_ms",
  "cannot be compared: rename the members toString and valueOf": "无法比较：请重命名成员 toString 和 valueOf",
  "cannot be checked: its schema refers to itself without end": "无法检查：其模式无休止地引用自身",
};

/** Names of types and formats, as they stand in predicates. */
export const typeNames: SentenceTable = {
  "a text": "文本",
  "a number": "数字",
  "a whole number": "整数",
  "true or false": "true 或 false",
  "a list": "列表",
  "an object": "对象",
  "a date": "日期",
  null: "null",
  "another kind of value": "其他类型的值",
  "an e-mail address": "电子邮件地址",
  "a URL": " URL",
  "a URL or a path": " URL 或路径",
  "a UUID": " UUID",
  "a date and time such as 2026-11-20T08:30:00Z": "日期和时间，例如 2026-11-20T08:30:00Z",
  "a date such as 2026-11-20": "日期，例如 2026-11-20",
  "a time such as 08:30:00": "时间，例如 08:30:00",
  "a duration such as PT1H": "时长，例如 PT1H",
  "an IP address": " IP 地址",
  "a host name": "主机名",
  "a regular expression": "正则表达式",
};

/** Conditions of the contract that are no predicates: they follow the field's name and a colon. */
export const conditions: SentenceTable = {
  "MICROPAY needs the buyer's payment code, and no other trade type has one":
    "MICROPAY 需要买家的付款码，其他交易类型则没有付款码",
  "{} must be 1 to 64 printable ASCII characters without spaces":
    "{0} 必须是 1 到 64 个可打印的 ASCII 字符，且不含空格",
  "give one of offset_ms, advance_ms and at": "请给出 offset_ms、advance_ms、at 三者之一",
  "give delay_ms, status or abort: else the fault does nothing": "请给出 delay_ms、status 或 abort，否则该故障不起作用",
  "abort gives no answer: leave out status": "abort 不产生应答：请去掉 status",
  "message, body and headers are of an answer: give its status": "message、body 和 headers 属于应答：请给出其 status",
  "letters, digits, '_', '.' and '-', at most 64, a letter or digit first":
    "只能用字母、数字、“_”、“.”和“-”，最多 64 个，且以字母或数字开头",
  "exactly stands alone: leave out at_least and at_most": "exactly 只能单独使用：请去掉 at_least 和 at_most",
  "an origin such as {} is needed in place of {}": "需要如 {0} 的来源，而不是 {1}",
  "a name without scheme and port is needed": "需要一个不带协议和端口的名称",
  "32 characters are needed, without spaces": "需要 32 个字符，且不含空格",
  "letters, digits, '_', '.' and '-', at most 64": "只能用字母、数字、“_”、“.”和“-”，最多 64 个",
  "5 to 20 digits, without the country code": "5 到 20 位数字，不含国家代码",
  "1 to 4 digits": "1 到 4 位数字",
};
