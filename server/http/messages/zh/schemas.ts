import type { SentenceTable } from "../translate.ts";

/** What is wrong with the schema file of a collection: each follows the place in it, if there is one. */
export const schemas: SentenceTable = {
  "is no draft that is read here: use https://json-schema.org/draft/2020-12/schema":
    "不是此处支持的草案：请使用 https://json-schema.org/draft/2020-12/schema",
  "has more than {} schemas in it, which is too large": "所含模式超过 {0} 个，过大",
  '"{}" leads out of the file: what it refers to must be in it': "“{0}”指向文件之外：所引用的内容必须在文件内",
  '"{}" leads nowhere': "“{0}”没有指向任何内容",
  'is not supported here: use "$ref": "#/$defs/…"': '此处不支持：请使用 "$ref": "#/$defs/…"',
  "is no keyword of JSON Schema": "不是 JSON Schema 的关键字",
  '"{}" is no format that is known here': "“{0}”不是此处已知的格式",
  "Invalid regular expression: {}": "正则表达式无效：{0}",
  "its references unfold to a schema that is too large to describe": "其引用展开后的模式过大，无法描述",
  "belongs to the schema itself, or to a field at its top": "只能用于模式本身或其顶层字段",
  "is not known here; known are {}": "此处未知；已知的有：{0}",

  "A schema file holds one JSON object: the schema of an item.": "模式文件应为一个 JSON 对象：条目的模式。",
  'The schema of an item must say "type": "object".': '条目的模式必须写明 "type": "object"。',
  'The schema of an item must name its fields in "properties".': '条目的模式必须在 "properties" 中列出字段。',
  "the server writes this field of every item: leave it out of the schema":
    "每个条目的此字段由服务器写入：请从模式中去掉",
  'must name a function of faker, such as "person.fullName"': "必须是 faker 的函数名，例如“person.fullName”",
  "must be the name of a function of faker": "必须是 faker 的函数名",
  '"{}" is no function of faker: see fakerjs.dev/api': "“{0}”不是 faker 的函数：见 fakerjs.dev/api",
  "\"{}\" cannot stand in a path: name the file in lower-case letters and digits, with '-' between words.":
    "“{0}”不能用于路径：文件名请用小写字母和数字，单词之间用“-”分隔。",
  '"{}" is not a plural noun: rename the file, or say in "x-hearth" what one item is called ("singular").':
    '“{0}”不是复数名词：请重命名文件，或在 "x-hearth" 中写明单个条目的名称（"singular"）。',
  '"{}" is not in properties': "“{0}”不在 properties 中",
  '"{}" must be of type {}': "“{0}”的类型必须是 [1]",
  '"{}" is secret (writeOnly)': "“{0}”是机密字段（writeOnly）",
  "another seed has this value, which must be unique": "已有其他初始条目使用此值，而它必须唯一",
  "another item has this value, which must be unique": "已有其他条目使用此值，而它必须唯一",

  "must be the name of a collection, as in its path": "必须是数据集的名称，与其路径中的一致",
  "must not be 401, which tells a client to log in": "不能是 401，它会让客户端去登录",
  "must be lower-case letters and digits, words joined by '-'": "必须是小写字母和数字，单词之间用“-”连接",
  'must be a number of ms up to 60000, or {"min", "max"} of two such numbers':
    '必须是不超过 60000 的毫秒数，或由两个这样的数组成的 {"min", "max"}',
  'must be "anyone" where access is "none": without a login nobody owns anything':
    'access 为 "none" 时必须是 "anyone"：没有登录就没有所有者',
  'cannot be used where access is "none": without a login nobody owns anything':
    'access 为 "none" 时不能使用：没有登录就没有所有者',

  "{} is served by Hearth itself: give the file another name": "{0} 由 Hearth 自身提供：请为文件另取名称",
  "{} is served by Hearth itself: refer to another collection": "{0} 由 Hearth 自身提供：请引用其他数据集",
  'its operation {} is that of another collection: give "x-hearth" another "singular"':
    '其操作 {0} 已属于另一数据集：请在 "x-hearth" 中另取 "singular"',
  "The route file serves {}, which this collection would hide: remove that route first, or choose other names":
    "路由文件提供 {0}，此数据集会将其遮蔽：请先删除该路由，或另取名称",

  'no valid item could be made up ({}): help with "x-faker" or "enum" on the field, or write the items as "seed"':
    '无法生成有效的条目（[0]）：请在字段上使用 "x-faker" 或 "enum"，或把条目写入 "seed"',
  "{} must be unique, and no more values were found": "{0} 必须唯一，而没有找到更多的值",
  "the schema asks for a text of {} characters, and none of more than {} is made up":
    "模式要求 {0} 个字符的文本，而生成的文本不超过 {1} 个字符",
  'an item takes more than {} values and parts of schemas to make: ask for fewer, or write the items as "seed"':
    '生成一个条目需要超过 {0} 个值和模式部分：请减少，或把条目写入 "seed"',

  '"{}" is expected {}, but here is {}': "[1]应为“{0}”，而这里是[2]",
  'after "{}"': "“{0}”之后",
  'or "," after a member': "成员之后（或“,”）",
  'or "," after an item': "元素之后（或“,”）",
  "a value is expected, but here is {}": "应为一个值，而这里是[0]",
  "the end is expected, but here is {}": "应到此结束，而这里是[0]",
  "{} is expected in double quotes, but here is {}": "应为双引号中的[0]，而这里是[1]",
  "the end of the file": "文件末尾",
  "a member's name": "成员名称",
  "the text that begins here has no end, or a line break or a bad escape in it":
    "此处开始的文本没有结尾，或含有换行或错误的转义",
  '"{}" is not allowed as a name': "“{0}”不能用作名称",
  '"{}" is given twice': "“{0}”出现了两次",
  "nested deeper than {} levels": "嵌套超过 {0} 层",
  "the file is larger than {} bytes": "文件大于 {0} 字节",
  "the file is not UTF-8": "文件不是 UTF-8",
};
