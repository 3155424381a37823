import { expect, it } from "vitest";
import { itemId } from "../../../server/model/wire/openai/responses/item-id.ts";
import { createKeptResponses } from "../../../server/model/wire/openai/responses/kept-responses.ts";

it("an item is found without a look at the others that are kept", () => {
  const kept = createKeptResponses(() => undefined);
  let looks = 0;
  const ids = Array.from({ length: 50 }, () => itemId("msg_"));
  const input = ids.map((id) => ({
    get id() {
      looks++;
      return id;
    },
  }));
  for (let turn = 0; turn < 5; turn++) kept.keep({ input, response: { id: `resp_${String(turn)}`, output: [] } });
  looks = 0;
  const found = ids.map((id) => kept.findItem(id));
  expect(looks).toBe(0);
  expect(found).toEqual(input);
});
