/** The words of the block at the end of a start. */

const english = {
  ready: (version: string) => `Hearth ${version} is ready`,
  console: "Console",
  api: "API",
  platform: "Platform",
  models: "Models",
  faults: "Faults",
  logIn: "Log in",
  command: "Command",
  enter: "press Enter for a new address",
  down: "down",
  taken: (port: string) => `port ${port} is taken`,
  armed: (count: number) => `${String(count)} armed; see the page Faults`,
  link: "adds the command hearth",
};

const chinese: typeof english = {
  ready: (version) => `Hearth ${version} 已就绪`,
  console: "控制台",
  api: "接口",
  platform: "平台",
  models: "模型",
  faults: "故障",
  logIn: "登录",
  command: "命令",
  enter: "按回车获取新地址",
  down: "未运行",
  taken: (port) => `端口 ${port} 已被占用`,
  armed: (count) => `已启用 ${String(count)} 个，见“故障”页`,
  link: "运行后可直接使用 hearth 命令",
};

/** In the language of the terminal. */
export function startTexts({ LC_ALL, LC_MESSAGES, LANG }: NodeJS.ProcessEnv): typeof english {
  return [LC_ALL, LC_MESSAGES, LANG].find(Boolean)?.toLowerCase().startsWith("zh") ? chinese : english;
}
