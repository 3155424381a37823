/** The built-in merchant of Alipay, which has one app. Its numbers have the forms of real ones and work nowhere else. */
export const alipayAccount = {
  appId: "2021000000000001",
  /** The merchant's number at Alipay, by which the ledger knows it. */
  sellerId: "2088000000000001",
  sellerEmail: "hearth@alipay.invalid",
} as const;
