/** One short chat with the model service, as the console's page would hold it. */
export async function chatOnce(modelUrl: string): Promise<{ done: boolean; text: string }> {
  const tags = (await (await fetch(`${modelUrl}/api/tags`)).json()) as { models: { name: string }[] };
  const response = await fetch(`${modelUrl}/api/chat`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      model: tags.models[0]?.name,
      messages: [{ role: "user", content: "Hello" }],
      stream: false,
      options: { num_predict: 4 },
    }),
  });
  const body = (await response.json()) as { done?: boolean; message?: { content: string }; error?: string };
  if (!response.ok) throw new Error(`chat answered ${response.status}: ${body.error}`);
  return { done: body.done === true, text: body.message?.content ?? "" };
}
