import type { SentenceTable } from "../translate.ts";

/** What the features of the application server say to clients. */
export const features: SentenceTable = {
  "There is no {} in {}.": "{1} 中没有 {0}。",
  "There is no {} in orders.": "没有订单 {0}。",
  "There is no {} in refunds.": "没有退款 {0}。",
  "This item belongs to nobody, so that nobody could read it: it cannot be private.":
    "此条目不属于任何人，设为私有后无人能读取，因此不能设为私有。",
  "Items of {} are shown to their owner alone, and this one would belong to nobody: add it as a user, at /api/{}.":
    "{0} 的条目只显示给其所有者，而此条目不属于任何人：请以用户身份在 /api/{1} 添加。",
  "{}: prizes have been drawn, and what was drawn cannot be changed.": "{0}：已经开过奖，开出的结果不能更改。",
  "There is no {} in raffles.": "没有抽奖 {0}。",
  "{}/{} is private.": "{0}/{1} 是私有的。",
  "{}/{} belongs to another user.": "{0}/{1} 属于其他用户。",
  "orders/{} belongs to another user.": "订单 {0} 属于其他用户。",
  "{}: another item has this value already.": "{0}：已有其他条目使用此值。",
  "{}/{} was changed at the same moment: read it again and repeat the change.":
    "{0}/{1} 刚刚被同时修改：请重新读取后再修改。",
  '"{}" is no value that {} can have.': "“{0}”不是 {1} 可取的值。",
  'There is no sorting by "{}": use one of {}.': "不能按“{0}”排序：请使用以下之一：{1}。",
  "{}: there is no {}.": "{0}：没有 {1}。",
  "It cannot be deleted while {} refers to it by {}: change or delete that one first.":
    "{0} 的 {1} 引用了它，因此不能删除：请先修改或删除那一个。",
  '"{}" cannot be expanded here: {} asks for a login, and {} does not.':
    "此处不能展开“{0}”：{1} 要求登录，而 {2} 不要求。",
  '{} has no relation "{}".': "{0} 没有关系“{1}”。",
  '{} has no relation "{}": use {}.': "{0} 没有关系“{1}”：请使用 {2}。",
  '"{}" leads to a collection that is not served.': "“{0}”指向未在提供的数据集。",
  "expand takes at most {} names.": "expand 最多接受 {0} 个名称。",
  '"{}" is deeper than {} relations.': "“{0}”超过 {1} 层关系。",
  "{}: the path says {}.": "{0}：路径中的是 {1}。",
  "The user or the password is wrong.": "用户名或密码错误。",
  "The user of this login does not exist here, as after an import or a reset: log in with a code.":
    "此登录的用户在这里不存在（例如导入或重置之后）：请用 code 登录。",
  "Every prize of this raffle has been drawn.": "此抽奖的奖品已全部抽完。",
  "The raffle was changed during the draw: try again.": "抽奖在进行中被修改：请重试。",
  "A draw of this raffle is under way: try again in a moment.": "此抽奖正在进行：请稍后再试。",
  "This error is on purpose: {} fails in a share of {} of all calls (x-hearth.errorRate).":
    "这是有意制造的错误：{0} 的调用按 {1} 的比例失败（x-hearth.errorRate）。",
  "This address is banned; the console can lift the ban.": "此地址已被封禁，可在控制台解除。",

  "The code is missing.": "缺少 code。",
  "code: send the code that the client's login call gave.": "code：请发送客户端登录调用得到的 code。",
  "The phone code is unknown, used or expired: call getPhoneNumber again.":
    "手机号 code 未知、已使用或已过期：请重新调用 getPhoneNumber。",
  "The login code is unknown, used or expired: call login again for a new one.":
    "登录 code 未知、已使用或已过期：请重新调用登录以获取新的 code。",
  "The identity provider has blocked this user.": "身份平台已封禁此用户。",
  "The identity provider's limit is reached: try again in a minute.": "已达到身份平台的频率上限：请一分钟后再试。",
  "The identity provider's limit of the day is reached: try again later.": "已达到身份平台的每日上限：请稍后再试。",
  "The identity provider does not answer.": "身份平台没有应答。",
  "The identity provider answered {} without JSON.": "身份平台应答了 {0}，但不是 JSON。",
  "The identity provider does not answer as it should.": "身份平台的应答异常。",
  "The identity provider refuses this server's app id or secret; the log says why.":
    "身份平台拒绝了此服务器的 app id 或密钥，原因见日志。",
  "The identity provider refuses this server's call; the log says why.": "身份平台拒绝了此服务器的调用，原因见日志。",
  "No phone number is known of this user: send one to POST /api/phonenumbers.":
    "尚不知道此用户的手机号：请发送到 POST /api/phonenumbers。",
  'errMsg is "{}", not "{}:ok": the user has not allowed it, so there is nothing to store.':
    "errMsg 为“{0}”，而不是“{1}:ok”：用户没有允许，因此没有可保存的内容。",
  "rawData and signature are required.": "必须提供 rawData 和 signature。",
  "The user info has not the shape of the platform's.": "用户信息的结构与平台的不符。",
  "The phone code belongs to another user than this session.": "手机号验证码属于与此会话不同的用户。",
  "The user info belongs to another user than this session.": "用户信息属于与此会话不同的用户。",
  "rawData is not JSON.": "rawData 不是 JSON。",
  "Send the code, or encryptedData with iv, as getPhoneNumber gave them.":
    "请按 getPhoneNumber 的结果发送 code，或 encryptedData 和 iv。",
  "The encrypted data holds no phone number.": "加密数据中没有手机号。",
  "The signature does not fit the raw data: log in again and repeat the call.":
    "签名与原始数据不符：请重新登录后再调用。",
  "The encrypted data cannot be decrypted: log in again and repeat the call.": "加密数据无法解密：请重新登录后再调用。",
  "The encrypted data cannot be decrypted.": "加密数据无法解密。",
  "The decrypted data has no watermark.": "解密后的数据没有水印。",
  "The encrypted data belongs to another app.": "加密数据属于其他应用。",
  "The encrypted data is too old.": "加密数据已过期。",

  '"{}" is not taken: send one of {}.': "不接受“{0}”：请发送以下类型之一：{1}。",
  '"{}" does not hold what its name says: it looks like {}, not like .{}.':
    "“{0}”的内容与其名称不符：看起来是[1]，而不是 .{2}。",
  "none of the accepted types": "不被接受的类型",
  "The connection ended before the upload did.": "连接在上传完成之前中断了。",
  'Send the file as multipart/form-data in a part named "{}".': "请以 multipart/form-data 发送文件，部件名为“{0}”。",
  "The file is larger than {} MB (setting MaxSizeOfSigleFile_MB).": "文件大于 {0} MB（设置 MaxSizeOfSigleFile_MB）。",
  "Send one file a request; several files go inside one archive (zip, rar or 7z).":
    "每个请求只发送一个文件；多个文件请放入一个压缩包（zip、rar 或 7z）。",
  "Send one picture a request.": "每个请求只发送一张图片。",
  'The file must be in a part named "{}", not "{}".': "文件必须放在名为“{0}”的部件中，而不是“{1}”。",
  'The field "{}" has a place in a list that no form here has.': "字段“{0}”指定的列表位置超出了这里任何表单的范围。",
  "The form is refused: {}.": "表单被拒绝：{0}。",
  "The body is not valid multipart/form-data: {}.": "请求正文不是有效的 multipart/form-data：{0}。",
  "There is no upload {}.": "没有上传文件 {0}。",
  "Upload {} belongs to another user.": "上传文件 {0} 属于其他用户。",
  "Upload {} is no zip archive, so there is no listing of it.": "上传文件 {0} 不是 zip 压缩包，因此没有目录。",
  "Upload {} is no picture that a thumbnail can be made of.": "上传文件 {0} 不是能生成缩略图的图片。",
  "The file has {} bytes.": "文件共有 {0} 字节。",
  "The archive cannot be read: {}.": "压缩包无法读取：{0}。",
  "The picture cannot be read: {}.": "图片无法读取：{0}。",
  "There are no thumbnails without the package sharp: {}.": "没有安装 sharp，无法生成缩略图：{0}。",
  "There is no such avatar.": "没有此头像。",
  "The content of upload {} {}. Put its file back into the folder uploads of the data directory, or upload it again.":
    "上传文件 {0} 的内容[1]。请将其文件放回数据目录的 uploads 文件夹，或重新上传。",
  "The content of upload {} {}. Put it back into the bucket of the uploads, or upload it again.":
    "上传文件 {0} 的内容[1]。请将其放回存放上传内容的存储桶，或重新上传。",
  "The database does not answer, so this may not have been stored: try again in a moment; if that does not help, see to the database (setting database_url).":
    "数据库没有应答，因此此内容可能未保存：请稍后再试；如仍不行，请检查数据库（设置 database_url）。",
  "The database did not answer while this file was being stored, and another instance has removed it meanwhile: upload it again.":
    "保存此文件时数据库没有应答，其间另一个实例已将它删除：请重新上传。",
  "The disk of the database is full, so nothing was stored: make room on it, then try again.":
    "数据库所在的磁盘已满，因此未保存任何内容：请腾出空间后再试。",
  "{} holds a NUL character, which the database cannot store.": "{0} 含有 NUL 字符，数据库无法保存。",
  "The store that holds the uploads is full, so nothing was stored: make room in it, then try again.":
    "存放上传内容的存储已满，因此什么都没有保存：请腾出空间后重试。",
  "The store that holds the uploads refuses this server: check its key and what the key may do (settings uploads_key_id and uploads_secret_key).":
    "存放上传内容的存储拒绝了本服务器：请检查其密钥及密钥的权限（设置 uploads_key_id 和 uploads_secret_key）。",
  "The bucket that holds the uploads is not there: create it, or name another one (setting uploads_bucket).":
    "存放上传内容的存储桶不存在：请创建它，或指定另一个（设置 uploads_bucket）。",
  "The store that holds the uploads does not answer: try again later; if that does not help, check its address (setting uploads_endpoint).":
    "存放上传内容的存储没有响应：请稍后重试；如仍无效，请检查其地址（设置 uploads_endpoint）。",
  "is not there": "不存在",
  "is damaged": "已损坏",
  "{} is longer than {} characters.": "{0} 超过 {1} 个字符。",
};
