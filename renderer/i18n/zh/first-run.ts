import type { firstRun as english } from "../en/first-run.ts";
import type { Texts } from "../texts.ts";

export const firstRun: Texts<typeof english> = {
  title: "欢迎使用 Hearth",
  step: "第 {{step, number}} 步，共 {{of, number}} 步",
  skip: "跳过",
  back: "上一步",
  next: "下一步",
  done: "完成",
  where: {
    title: "运行了哪些服务",
    text: "三个服务在这台电脑上运行，未经你允许，其他机器无法访问。全程无需联网。",
    app: "为客户端提供登录、REST、上传和支付。",
    provider: "模拟身份与支付平台。",
    model: "提供 Ollama 接口。",
    waiting: "尚未就绪",
  },
  folder: {
    title: "监视一个文件夹",
    text: "其中的每次更改都会成为你的服务器可以接收的事件。也可以稍后在“文件事件”页面添加。",
    path: "文件夹",
    choose: "选择…",
    watch: "监视",
    watched: "已开始监视 {{path}}。",
  },
  model: {
    title: "模型",
    starter: "已安装小模型 hearth-starter，可离线使用。更大的模型能力更强：",
    external: "Hearth 使用你在 {{address}} 的 Ollama，其模型见“模型”页面。",
    down: "模型服务尚未应答，原因见“模型”页面。",
    size: "下载约 {{size}}，占用内存 {{required}}",
    fits: "内存足够",
    tooLarge: "超出可用内存",
    get: "拉取…",
    getOf: "拉取 {{name}}",
  },
};
