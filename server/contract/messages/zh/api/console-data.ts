/** What the console's API does with stored data, users and payments. */
export const consoleDataZh = {
  listStoredUploads: "分页返回所有用户上传的文件，最新的在前。",
  getStoredUploadContent: "返回一个上传文件的内容。浏览器能显示的图片直接显示，其他文件作为下载。",
  getStoredUploadThumbnail: "返回上传图片的缩略图。格式为 WebP，最大 256×256 像素。",
  listStoredUploadEntries: "列出上传的 zip 压缩包里的文件，不解压。最多列出前 1,000 项。",
  getUploadContents: "返回上传内容的状况。依据是启动时的检查、最近一次检查和读取时的发现。",
  checkUploads:
    "重新检查所有上传及其内容。与启动时的检查相同：放回文件夹的或已移开的内容，完整读取后恢复；没有上传引用的内容移开。调用方断开即取消，已完成的部分不回退。",
  getStorage: "返回数据目录各部分的大小。取最近一次统计的结果；结果较旧时会开始新的统计。",
  countStorage: "让下次查询重新统计大小，无论上次统计有多新。",
  deleteBackups: "删除备份。包括修改表结构前的数据库副本，以及恢复时移开的数据。",
  deleteOrphans: "删除没有上传引用而被移开的内容。因损坏而移开的内容保留。",
  listUsers: "分页返回登录过的用户，最新的在前。",
  getUser: "返回一个用户及其最新的 100 个会话，包括已过期的会话。",
  forgetUserInfo:
    "清除 getUserInfo 得到的昵称、头像和 union id。设置 require_userinfo 打开时，该用户每个会话的下一次调用返回 401 `getUserInfo`。",
  forgetPhoneNumber: "清除手机号。设置 phone_is_identity 打开时，该用户每个会话的下一次调用返回 401 `getPhoneNumber`。",
  changeSession:
    "设置会话在多少秒后过期，0 表示立即过期。过期后返回 401 `Bearer`，与自然过期相同；给已过期的会话加时间可以让它恢复有效。",
  revokeSession: "永久结束一个会话。该 token 立即失效，返回 401 `Bearer`。",
  createToken:
    "返回一个模拟用户的会话 token。像客户端一样完成该用户的全部登录步骤。会话有效期间，再次调用返回同一个 token。",
  getNames: "返回用户的名称。已删除或没有名称的不列出。",
  listCollections: "列出当前提供的数据集，包括各自的条目数和条目的 schema。",
  listItems: "分页返回一个数据集的条目，不限所有者。默认最新的在前，可用 `sort` 改变顺序。",
  getItem: "返回数据集的一个条目。",
  createItem: "添加一个没有所有者的条目。字段检查与客户端提交时相同。只对所有者可见的条目返回 400。",
  replaceItem:
    "替换条目的字段。没有给出的字段取默认值；保密字段和由服务器写入的字段不变。修改会撤销已抽出的奖品时返回 403，条目不再是 `version` 版本时返回 412。",
  deleteItem: "删除一个条目，不限所有者。有其他条目引用它时返回 409。",
  undoItemChange:
    "撤销最近一次修改。范围是本次启动以来用 `createItem`、`replaceItem` 或 `deleteItem` 所做的修改，可以指定条目。删除的条目连同保密字段以原 id 恢复。可以依次撤销最近 100 次；没有可撤销的返回 404，条目后来又有修改返回 412。规则禁止撤销的条目不变。",
  exportData:
    "导出全部数据集，包括 id、所有者、版本，以及上传的信息（不含内容）。从不在别处返回的字段默认省略，用 `secrets=include` 包含。",
  replaceData:
    "用文档的内容替换全部数据集。文档没有提到的数据集会清空。全部成功或全部不变：文档有误时不做修改，应答指出出错的记录和字段。文档省略的保密字段，在 id 相同的记录已存在时保留。",
  mergeData:
    "把文档的记录合并到现有数据。id 已存在的记录会被替换，版本加一；该 id 属于已删除条目时也是如此。与 PUT 一样，全部成功或全部不变。",
  getSchema: "返回数据集的 schema 文件原文。内容与数据集文件夹中的文件一致，无论是否有效。",
  checkSchema: "检查一个 schema 的效果，不做修改。结果说明它能否使用，以及哪些已存条目不符合它。",
  saveSchema:
    "写入数据集的 schema 文件并启用，可以新建或修改数据集。条目不会改变。已存条目不符合时返回 409；加 `keep_misfits` 可以保留它们：照原样返回，下次修改时必须符合。",
  removeCollection:
    "停用一个数据集。schema 和条目移到数据目录中的一个文件夹，应答给出其位置。有其他数据集引用它时返回 409。",
  addItems: "批量添加没有所有者的条目，全部成功或全部不变。有条目不符合时返回 400，并指出第一个。",
  listFixtures: "列出测试数据，即按名称保存的服务器状态。",
  saveFixture: "把当前状态保存为测试数据，同名的会被替换。现在有效的 token，加载后仍然有效。",
  getFixture: "返回一份测试数据的内容。",
  loadFixture:
    "恢复到保存测试数据时的状态。恢复其中包含的所有部分；失败时不做任何修改。如果测试数据不含记录、上传和订单，下一个用户会得到从未用过的 id。",
  deleteFixture: "删除一份测试数据。",
  createReset:
    "把全部或部分状态重置到首次启动时的样子。id 重新从 1 开始；用户 id 只有与记录、上传和订单一起重置时才会重新开始，否则新用户会得到别人的数据。",
  listStoredOrders: "分页返回所有用户的订单，最新的在前。用 `before` 传入一页最后的 id 可取下一页。",
  getStoredOrder: "返回一个订单及其退款和完整历史。历史包括调用、应答、通知和处理决定，最早的在前。",
  queryStoredOrder:
    "立即查单并返回结果。与定时对账任务所做的相同。因金额不符而挂起的订单，只有请求体允许时才会继续处理。",
  closeStoredOrder: "关闭订单并返回其结果。与所有者调用 POST /api/orders/{id}/closures 相同。",
  refundStoredOrder: "为订单退款并返回退款。与所有者调用 POST /api/orders/{id}/refunds 相同。",
  reverseStoredOrder: "撤销付款码支付并返回其结果。与所有者调用 POST /api/orders/{id}/reversals 相同。",
  listFileEvents:
    "分页返回收到的文件事件。默认最新的在前；用 `before` 传入一页最后的 id 可取下一页。保留最新的 100,000 条。",
  listChats: "列出保存的所有对话，最近保存的在前。",
  putChat:
    "保存一个对话，同 id 的会被替换。如果在给定的修订之后另一个页面保存过，返回 409；不给修订则直接替换。保留最新的 200 个，合计不超过 16 MB。",
  deleteChat: "删除一个对话。对话不存在时也返回成功。",
} as const;
