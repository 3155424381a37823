import type { settingTexts as english } from "../en/settings.ts";

// prettier-ignore
export const settingTextsZh = {
  "start.refused": "{problem}。",
  "start.file": "{file}：{problem}",
  "start.database": "database_url：{problem}",
  "start.noFile": "{name}：{file} 不存在",
  "start.noKey": "{name}：{file} 不是所需 RSA 密钥的 PEM 文件",
  "start.noKeys": "payment_version：请在支付设置中设置 {version} 的密钥",
  "start.useless": "缺少 {missing}：{other} 需要它",
  "start.bucketSize": "MaxSizeOfSigleFile_MB：使用 uploads_bucket 时最大为 {most}，因为存储无法复制更大的对象",
  "start.bucketPackages": "uploads_bucket：所需软件包尚未安装，请安装：{toAdd}",
  "start.region": "uploads_bucket：没有 uploads_endpoint 时，请用 AWS_REGION 或 AWS 配置文件指定存储桶的区域",

  "project.refused": "{name}：工作目录的文件可能由他人写入，其中{reason}；请用 {flag} 或 {variable} 指定",
  "project.refusedTrusted": "{name}：工作目录的文件可能由他人写入，其中{reason}；请用 {flag}、{variable} 或 {file} 指定",
  "project.leak": "它会得到你的 {secret}，因此不能设置",
  "project.elsewhere": "不能设置它",
  "project.consolePort": "{port} 是控制台的端口，不能设置",
  "project.noPath": "{value} 不是路径",
  "project.outside": "{value} 在文件夹之外",
  "project.special": "{value} 既不是文件也不是文件夹",
  "project.links": "{value} 含有符号链接",
  "project.origin": "不能设置 {value}",
} satisfies Record<keyof typeof english, string>;
