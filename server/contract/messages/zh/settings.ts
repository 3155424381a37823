import type { settingTexts as english } from "../en/settings.ts";

// prettier-ignore
export const settingTextsZh = {
  "start.refused": "{problem}。",
  "start.file": "{file}：{problem}",
  "start.database": "database_url：{problem}",
  "start.noFile": "{name}：{file}：没有这个文件",
  "start.noKey": "{name}：{file}：它不是此处所需 RSA 密钥的 PEM 文本",
  "start.noKeys": "payment_version：支付设置中没有 {version} 的密钥",
  "start.useless": "缺少 {missing}：没有它，{other} 就没有用处",
  "start.bucketSize": "MaxSizeOfSigleFile_MB：使用 uploads_bucket 时最大为 {most}：存储无法复制更大的对象",
  "start.bucketPackages": "uploads_bucket：Hearth 访问此类存储所用的软件包尚未安装；安装方法：{toAdd}",
  "start.region": "uploads_bucket：没有 uploads_endpoint 时，须由 AWS_REGION 或 AWS 的配置文件指定存储桶所在的区域",

  "project.refused": "{name}：工作目录的文件可能来自任何人，其中{reason}；请用 {flag} 或 {variable} 指定",
  "project.refusedTrusted": "{name}：工作目录的文件可能来自任何人，其中{reason}；请用 {flag}、{variable} 或 {file} 指定",
  "project.leak": "它会得到你的 {secret}，因此不能设置",
  "project.elsewhere": "不能设置它",
  "project.consolePort": "{port} 是控制台的端口，不能设置",
  "project.noPath": "{value} 不是路径",
  "project.outside": "{value} 在文件夹之外",
  "project.special": "{value} 既不是文件也不是文件夹",
  "project.links": "{value} 含有符号链接",
  "project.origin": "不能设置 {value}",
} satisfies Record<keyof typeof english, string>;
