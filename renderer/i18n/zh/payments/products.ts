import type { paymentProducts as english } from "../../en/payments/products.ts";
import type { Texts } from "../../texts.ts";

export const paymentProducts: Texts<typeof english> = {
  tabs: "产品",
  orders: "订单",
  more: "更多",
  name: {
    shares: "分账",
    transfers: "商家转账",
    shipments: "发货",
    complaints: "投诉",
    pushes: "消息推送",
  },
  state: "状态",
  user: "用户",
  time: "时间",
  action: "操作",
  actions: {
    finishShare: "完成分账",
    confirmTransfer: "确认收款",
    failTransfer: "设为失败",
    confirmReceipt: "确认收货",
    replay: "重新推送",
  },
  parts: {
    shares: "分账接收方",
    transfers: "步骤",
    shipments: "包裹",
    complaints: "协商历史",
    pushes: "推送记录",
  },
  empty: {
    shares: {
      title: "没有分账",
      text: "分账请求会显示在这里。先支付一个 profit_sharing 为 true 的订单，再调用：",
    },
    transfers: {
      title: "没有商家转账",
      text: "给用户的转账会显示在这里，由用户在“手机”页面确认收款。你的服务器调用：",
    },
    shipments: {
      title: "没有发货信息",
      text: "录入了发货信息的订单会显示在这里。先在小程序内支付一个订单，再调用：",
    },
    complaints: {
      title: "没有投诉",
      text: "买家的投诉会显示在这里。可以在“手机”页面投诉，或调用：",
    },
    pushes: {
      title: "没有消息",
      text: "平台推送给你的服务器的消息会显示在这里。请先设置接收端：",
    },
  },
  call: "调用",
  gone: "此条目不在最新的 100 条之内。",
  openOrder: "打开订单",
  receiver: "消息推送的接收端",
  pushMode: "模式",
  combinedParts: "子单",
  combinedOf: "所属合单",
  partner: "服务商订单",
  serviceProvider: "服务商",
  subMerchant: "特约商户",
  moneyMoves: "资金变动",
  nothing: "订单支付后，它的分账、发货、投诉和资金变动会显示在这里。",
  shipmentState: {
    toShip: "待发货",
    shipped: "已发货",
    received: "已收货",
    completed: "已完成",
    refunded: "已退款",
  },
};
