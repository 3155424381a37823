/** Questions of the code to the server. Each question is a message, and so is its answer. */
import type { CodeAsk, FromChild, ToChild } from "../child-messages.ts";

const mostQuestions = 1_000;

type Asking = Extract<FromChild, { type: "ask" | "pay" | "event" }>;
type Told = Extract<ToChild, { type: "told" }>;

export function createQuestions(send: (message: FromChild) => void) {
  const asked = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;

  function put(asking: (id: number) => Asking): Promise<unknown> {
    if (asked.size >= mostQuestions) throw new Error(`${String(mostQuestions)} questions at a time are the most`);
    const id = ++lastId;
    const promise = Promise.withResolvers<unknown>();
    asked.set(id, promise);
    send(asking(id));
    return promise.promise;
  }
  const ask = (question: CodeAsk) => put((id) => ({ type: "ask", id, ask: question }));

  const collection = (name: string) =>
    Object.freeze({
      list: (query: object = {}) => ask({ collection: name, action: "list", args: [query] }),
      get: (id: unknown) => ask({ collection: name, action: "get", args: [id] }),
      create: (data: object, { owner }: { readonly owner?: unknown } = {}) =>
        ask({ collection: name, action: "create", args: [data, owner] }),
      update: (id: unknown, patch: object) => ask({ collection: name, action: "update", args: [id, patch] }),
      remove: (id: unknown) => ask({ collection: name, action: "remove", args: [id] }),
    });

  return {
    /** `db.articles` is the collection of that name. */
    db: new Proxy({}, { get: (_target, name) => (typeof name === "string" ? collection(name) : undefined) }),
    write: async (call: number, frame: string, state: { readonly state?: string }) =>
      (await put((id) => ({ type: "event", id, call, frame, ...state }))) === true,
    pay: (call: number, order: unknown) => put((id) => ({ type: "pay", id, call, order })),
    /** A refusal is thrown like one of `fail`, so that it is the handler's unless the code catches it. */
    take({ id, value, refusal }: Told): void {
      const promise = asked.get(id);
      asked.delete(id);
      if (!refusal) return promise?.resolve(value);
      const mark = { [Symbol.for("hearthkit.refusal")]: true };
      promise?.reject(Object.assign(new Error(refusal.message), { ...refusal, ...mark }));
    },
  };
}
