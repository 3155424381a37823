/** The real platforms' hosts, which the simulator replaces: a proxy or a hosts file may direct clients to it. */
const paymentHosts: readonly string[] = ["api.mch.weixin.qq.com", "api2.mch.weixin.qq.com"];
export const platformHosts: readonly string[] = [...paymentHosts, "api.weixin.qq.com", "openapi.alipay.com"];

/** @param host of a request, with or without a port */
export const isPaymentHost = (host = ""): boolean => paymentHosts.includes(host.split(":")[0]?.toLowerCase() ?? "");

/** Names the base URL of the stand-in to Node's programs, whose preload sends connections for these hosts there. */
export const standInVariable = "HEARTH_STAND_IN_URL";
