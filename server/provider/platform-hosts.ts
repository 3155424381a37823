/** The real platform's hosts, which the simulator replaces: a proxy or a hosts file may direct clients to it. */
export const platformHosts: readonly string[] = [
  "api.mch.weixin.qq.com",
  "api2.mch.weixin.qq.com",
  "api.weixin.qq.com",
];
