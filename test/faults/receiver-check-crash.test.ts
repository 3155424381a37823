import { expect, it } from "vitest";
import { newCheckPerson } from "../../server/contract/provider/internal-people.ts";
import { ownReceiverCheck } from "../../server/contract/provider/own-receiver-check.ts";
import { forkApp, type ForkedApp } from "../support/process/forked-app.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Lengths of the lists that a check adds to: orders and users of the application server and of the platform. */
async function counts(app: ForkedApp): Promise<number[]> {
  const read = async (path: string) => (await (await app.console(path)).json()) as Record<string, unknown[]>;
  const [orders, users, placed, people] = await Promise.all(
    ["/orders", "/users", "/provider/sim/orders", "/provider/sim/users"].map(read),
  );
  return [orders?.["orders"], users?.["users"], placed?.["orders"], people].map((list) => Number(list?.length));
}

it("a start removes the orders, the user and the person that a killed receiver check has left, and nothing else", async () => {
  using folder = temporaryFolder();
  {
    await using app = await forkApp(folder.path);
    await app.logIn();
    const post = async (path: string, body: unknown) =>
      (await app.console(path, { method: "POST", body: JSON.stringify(body) })).json() as Promise<
        Record<string, string>
      >;
    const person = newCheckPerson();
    const { access_token: sessionToken = "" } = await post("/tokens", { user: person });
    // This row waits for the reconcile job.
    const request = { ...ownReceiverCheck({ app: app.url, sessionToken, person }), only: ["lost"] };
    expect(await post("/provider/sim/receiver-checks", request)).toMatchObject({ state: "running" });
    await expect.poll(() => counts(app)).toEqual([1, 2, 1, 2]);
    // The platform knows the order for one of a check only when the application server has answered.
    const shown = async () => (await app.console("/provider/sim/orders?without_internal=true")).json();
    await expect.poll(shown).toMatchObject({ orders: [] });
    await app.kill();
  }
  await using app = await forkApp(folder.path);
  await expect.poll(() => counts(app)).toEqual([0, 1, 0, 1]);
});
