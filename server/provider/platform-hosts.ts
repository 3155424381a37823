/** The real platform's hosts, for which the simulator stands in: clients may be led to it by a proxy or a hosts file. */
export const platformHosts: readonly string[] = [
  "api.mch.weixin.qq.com",
  "api2.mch.weixin.qq.com",
  "api.weixin.qq.com",
];
