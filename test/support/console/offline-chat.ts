/** Asks the starter model in the window, and prints as JSON what it showed, and in how many pieces the service streams it. A program of its own, to run without a network. */
import { once } from "node:events";
import { connect } from "node:net";
import { openWindow } from "./window.ts";

/** Of a try to reach a host that is none of this machine's. */
async function failureOutside(): Promise<string> {
  const socket = connect({ host: "192.0.2.1", port: 80 });
  const [error] = (await Promise.race([once(socket, "error"), once(socket, "connect")])) as [
    NodeJS.ErrnoException | undefined,
  ];
  socket.destroy();
  return error?.code ?? "none";
}

await using window = await openWindow();
const { page } = window;
await window.open("Chat");
const shown: string[] = [];
const pieces: number[] = [];
for (const question of process.argv.slice(2)) {
  await page.getByRole("textbox", { name: "Message" }).fill(question);
  await page.getByRole("button", { name: "Send" }).click();
  const answer = page.getByRole("article", { name: "hearth-starter:latest" }).nth(shown.length);
  await answer.filter({ hasText: "token/s" }).waitFor();
  shown.push((await answer.textContent()) ?? "");
  const messages = [{ role: "user", content: question }];
  const body = JSON.stringify({ model: "hearth-starter", messages });
  const reply = await fetch(`${window.addresses.model ?? ""}/api/chat`, { method: "POST", body });
  pieces.push((await reply.text()).trim().split("\n").length);
}
process.stdout.write(JSON.stringify({ outside: await failureOutside(), shown, pieces }));
