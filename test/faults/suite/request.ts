/** A reply; where there is none, the error says why: what a client knows then is nothing. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

interface Sent {
  readonly body?: unknown;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Asks once, with a body of JSON or of a form. */
export async function request(
  base: string,
  method: string,
  path: string,
  { body, token, headers }: Sent = {},
): Promise<Reply> {
  const isForm = body instanceof FormData;
  const reply = await fetch(`${base}${path}`, {
    method,
    headers: {
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && !isForm && { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await reply.text();
  return { status: reply.status, body: text.startsWith("{") ? (JSON.parse(text) as unknown) : text };
}
