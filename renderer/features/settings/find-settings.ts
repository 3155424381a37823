/** Finds settings by what they do. */
import type { SettingName } from "../../../server/contract/process/settings.ts";
import type { SettingView } from "../../../server/contract/console/setting-endpoints.ts";
import { describeInChinese } from "./setting-texts.zh.ts";

/** Words, in both languages, that people search a setting by and that its description lacks. */
const keywords: Partial<Record<SettingName, string>> = {
  session_ttl_seconds: "expire expiry timeout logout 过期 失效 超时 退出登录",
  uploads_link_seconds: "expire expiry 过期 失效",
  MaxSizeOfSigleFile_MB: "limit too large 413 body 限制 太大",
  payment_timeout_ms: "slow wait hang 超时 等待",
  payment_notify_url: "webhook callback 回调",
  cors_origins: "cross-origin vite react preflight 跨域",
  maintenance: "down outage offline 停机 维护",
  https: "tls ssl 证书",
  host: "lan wifi phone bind 局域网 手机",
  allowed_hosts: "dns rebinding 421 403",
  trusted_proxies: "nginx reverse proxy load balancer 反向代理 负载均衡",
  shutdown_delay_seconds: "kubernetes graceful 优雅停机",
  drain_seconds: "kubernetes graceful 优雅停机",
  durability: "fsync crash loss 断电 丢失",
  data_dir: "storage location disk 存储 位置",
  database_url: "sql 数据库",
  uploads_bucket: "minio oss 对象存储",
  log_level: "debug verbose 调试",
  record_requests: "history traffic log 抓包 历史",
  record_limit: "history retention 保留",
  require_keys: "token password auth 密码 鉴权",
  basic_auth: "login 登录",
  metrics: "grafana monitoring 监控",
  mcp: "agent ai claude cursor 智能体",
  prompt_cache_mb: "kv 缓存",
  stand_in: "proxy hosts mitm 代理 劫持",
  update_url: "upgrade version 升级",
  json_indent: "pretty format 格式化",
  json_relaxed: "unicode escape 转义",
};

/** The settings with all words of the search in name, description or keywords, in either language. */
export function findSettings<Setting extends Pick<SettingView, "name" | "description">>(
  settings: readonly Setting[],
  search: string,
  nameOf: (name: string) => string,
): Setting[] {
  const words = search.toLowerCase().split(/\s+/);
  return settings.filter(({ name, description }) => {
    const texts = [name, nameOf(name), description, describeInChinese(name), keywords[name as SettingName]];
    const text = texts.join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
