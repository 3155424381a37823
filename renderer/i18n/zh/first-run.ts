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
    title: "哪些服务在哪里",
    text: "三个服务只在这台电脑上应答，除非你另行设置；全程无需联网。",
    app: "供客户端调用：登录、REST、上传、支付。",
    provider: "扮演身份与支付平台。",
    model: "与 Ollama 的接口相同。",
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
    starter: "内置的小模型 hearth-starter 已可使用，无需联网。更大的模型懂得更多：",
    external: "你的 Ollama 运行在 {{address}}，Hearth 直接使用它。其模型见“模型”页面。",
    down: "模型服务尚未应答；原因见“模型”页面。",
    size: "约需下载 {{size}}，占用内存 {{required}}",
    fits: "内存足够",
    tooLarge: "目前超出这台电脑的内存",
    get: "获取…",
    getOf: "获取 {{name}}",
  },
};
