import { Ollama } from "ollama";

const [host, question] = process.argv.slice(2);
const ollama = new Ollama({ host });

const answer = await ollama.chat({
  model: "hearth-starter",
  messages: [{ role: "user", content: question }],
  stream: true,
});
for await (const part of answer) process.stdout.write(part.message.content);
process.stdout.write("\n");
