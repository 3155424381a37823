import { describe, expect, it } from "vitest";
import { compatScene } from "../../support/model/compat-scene.ts";
import { ends, says } from "../../support/model/scripted-completions.ts";

const path = "/v1/responses";
const scene = compatScene(path);
const body = { model: "hearth-starter", input: "hi" };
const asked = () => scene.service.completions.chats.at(-1)?.messages;
const ask = async (at: string, method = "GET") => {
  const reply = await fetch(`${scene.service.url}${path}/${at}`, { method });
  // oxlint-disable-next-line typescript/no-explicit-any -- what a client reads
  return { status: reply.status, json: (await reply.json()) as any };
};

describe("a response that is kept", () => {
  it("is answered again as it was, until it is deleted", async () => {
    const first = await scene.whole(body);
    expect(await ask(first.id)).toEqual({ status: 200, json: first });
    const events = await scene.streamed(body);
    const streamed = events.at(-1)?.data.response;
    expect((await ask(streamed.id)).json).toEqual(streamed);
    expect(await ask(first.id, "DELETE")).toEqual({
      status: 200,
      json: { id: first.id, object: "response", deleted: true },
    });
    for (const method of ["GET", "DELETE"])
      expect(await ask(first.id, method)).toMatchObject({
        status: 404,
        json: { error: { type: "not_found_error", message: expect.stringContaining(first.id) } },
      });
    expect(await scene.whole({ ...body, previous_response_id: first.id })).toHaveProperty("error.code");
    expect((await ask(`${streamed.id}?stream=true`)).json).toMatchObject({ error: { param: "stream" } });
    const { id } = await scene.whole({ ...body, store: false });
    expect((await ask(id)).status).toBe(404);
  });

  it("lists the items that it was made from, the newest first, page by page", async () => {
    const first = await scene.whole({ ...body, instructions: "be kind" });
    const output = { type: "function_call_output", call_id: "call_0", output: "4" };
    const second = await scene.whole({
      ...body,
      previous_response_id: first.id,
      input: [output, { role: "user", content: "so?" }],
    });
    const { json } = await ask(`${second.id}/input_items`);
    expect(json).toMatchObject({
      object: "list",
      data: [
        { type: "message", role: "user", status: "completed", content: [{ type: "input_text", text: "so?" }] },
        { type: "function_call_output", call_id: "call_0", output: "4" },
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "Hello" }] },
        { type: "message", role: "user", content: [{ type: "input_text", text: "hi" }] },
      ],
      has_more: false,
    });
    const ids = json.data.map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(4);
    expect(json).toMatchObject({ first_id: ids[0], last_id: ids[3] });
    const page = (await ask(`${second.id}/input_items?order=asc&limit=2&after=${ids[3]}`)).json;
    expect(page).toMatchObject({ data: [json.data[2], json.data[1]], has_more: true });
    expect((await ask(`${second.id}/input_items?limit=0`)).json).toMatchObject({ error: { param: "limit" } });
    expect((await ask(`${second.id}/input_items?after=x`)).json).toMatchObject({ error: { param: "after" } });
    expect((await ask("resp_x/input_items")).status).toBe(404);
  });
});

describe("an item of a kept response", () => {
  it("may be named in place of itself, also by its id alone", async () => {
    scene.service.completions.steps = [says("Noon."), ends()];
    const { id, output } = await scene.whole({ ...body, input: "What time is it?" });
    const [question] = (await ask(`${id}/input_items`)).json.data;
    const input = [
      { type: "item_reference", id: question.id },
      { id: output[0].id },
      { role: "user", content: "Thanks" },
    ];
    await scene.whole({ ...body, input });
    expect(asked()).toMatchObject([
      { role: "user", content: "What time is it?" },
      { role: "assistant", content: "Noon." },
      { role: "user", content: "Thanks" },
    ]);
  });

  it("is another conversation's only by an id that was made here; a client's own one counts in its own", async () => {
    const own = (content: string) => [{ type: "message", role: "user", id: "m1", content }];
    await scene.whole({ ...body, input: own("A secret") });
    const second = await scene.whole({ ...body, input: own("Good day") });
    const input = [{ type: "item_reference", id: "m1" }];
    await scene.whole({ ...body, input, previous_response_id: second.id });
    expect(asked()?.at(-1)).toMatchObject({ role: "user", content: "Good day" });
    expect(await scene.whole({ ...body, input })).toMatchObject({ error: { code: "item_not_found" } });
  });

  it("may be one that a later request has under the same id, and stays as it was made while that is kept", async () => {
    const { id, output } = await scene.whole(body);
    const sentBack = { type: "message", role: "assistant", id: output[0].id, content: "Changed" };
    const second = await scene.whole({ ...body, input: [sentBack] });
    const byReference = { ...body, store: false, input: [{ type: "item_reference", id: output[0].id }] };
    await scene.whole(byReference);
    expect(asked()).toMatchObject([{ role: "assistant", content: "Hello" }]);
    await ask(id, "DELETE");
    await scene.whole(byReference);
    expect(asked()).toMatchObject([{ role: "assistant", content: "Changed" }]);
    await ask(second.id, "DELETE");
    expect(await scene.whole(byReference)).toMatchObject({ error: { code: "item_not_found" } });
  });

  it.each([
    ["is deleted", { store: true }],
    ["was never kept", { store: false }],
  ])("is found where a client has sent it back, also once the answer that made it %s", async (_what, how) => {
    const first = await scene.whole({ ...body, ...how });
    await ask(first.id, "DELETE");
    await scene.whole({ ...body, input: [...first.output, { role: "user", content: "so?" }] });
    await scene.whole({ ...body, input: [{ type: "item_reference", id: first.output[0].id }] });
    expect(asked()).toMatchObject([{ role: "assistant", content: "Hello" }]);
  });

  it("is not found by an id that a client has written like one of here", async () => {
    const id = `msg_${"0".repeat(40)}`;
    await scene.whole({ ...body, input: [{ type: "message", role: "user", id, content: "A secret" }] });
    const input = [{ type: "item_reference", id }];
    expect(await scene.whole({ ...body, input })).toMatchObject({ error: { code: "item_not_found" } });
  });

  it("outlives the answer that made it in one that goes on from there", async () => {
    const first = await scene.whole(body);
    const second = await scene.whole({ ...body, previous_response_id: first.id });
    const items = (await ask(`${second.id}/input_items?order=asc`)).json.data;
    await ask(first.id, "DELETE");
    await scene.whole({ ...body, input: items.map(({ id }: { id: string }) => ({ type: "item_reference", id })) });
    expect(asked()?.map(({ content }) => content)).toEqual(["hi", "Hello", "hi"]);
  });

  it("that is not known is refused by its name", async () => {
    const reply = await scene.service.post(path, { ...body, input: [{ type: "item_reference", id: "msg_x" }] });
    expect([reply.status, await reply.json()]).toMatchObject([
      400,
      { error: { param: "input", message: expect.stringContaining('input[0]: there is no item "msg_x"') } },
    ]);
  });
});
