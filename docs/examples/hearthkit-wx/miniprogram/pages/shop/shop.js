import { call, sendDetail, upload } from "../../api.js";

Page({
  data: { step: "", orders: [], progress: 0, photo: "" },

  onLoad() {
    return this.load();
  },

  async load() {
    try {
      this.setData({ orders: await call("GET", "/api/orders"), step: "" });
    } catch ({ step, message }) {
      if (step) this.setData({ step });
      else wx.showToast({ title: message, icon: "none" });
    }
  },

  /** The handler of both buttons: bindgetuserinfo and bindgetphonenumber. */
  async onDetail({ type, detail }) {
    if (!detail.errMsg.endsWith(":ok")) {
      await wx.showToast({ title: "We need this to send your order", icon: "none" });
      return;
    }
    await sendDetail(type, detail).catch(() => undefined); // the next step, which load() finds
    await this.load();
  },

  async onPhoto() {
    const { tempFiles } = await wx.chooseMedia({ count: 1, mediaType: ["image"] });
    this.setData({ photo: await upload(tempFiles[0].tempFilePath, (progress) => this.setData({ progress })) });
  },

  async onBuy() {
    const order = await call("POST", "/api/orders", { description: "Tea", amount: 199 });
    try {
      await wx.requestPayment(order.pay);
    } catch (error) {
      if (error.errMsg === "requestPayment:fail cancel") return;
      throw new Error(error.errMsg, { cause: error });
    }
    // The platform's answer proves nothing: the server knows.
    const { trade_state } = await call("GET", `/api/orders/${order.id}`);
    await wx.showToast({ title: trade_state === "SUCCESS" ? "Paid" : "Not paid yet" });
    await this.load();
  },
});
