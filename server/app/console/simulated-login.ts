import { byConsoleHeader } from "../../contract/console/by-console.ts";
import { errorBodySchema } from "../../contract/error-body.ts";
import { simLoginSchema } from "../../contract/provider/provider.ts";
import { statusPackageSchema } from "../../contract/app/status-package.ts";
import { HttpError, refuse } from "../../http/http-error.ts";
import { callService } from "../../http/outgoing/call-service.ts";

const resultSchema = (value: unknown) => statusPackageSchema.parse((value as { status?: unknown }).status);

/** Undefined for text that is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Logs a simulated user in completely over HTTP, like a client, with the provider simulator and this server's own
 * routes; what it sends is recorded as the console's. Returns the session token and its remaining seconds.
 */
export async function simulatedLogin(
  user: string,
  addresses: { app: string; provider: string },
): Promise<{ access_token: string; expires_in: number }> {
  async function post(url: string, body?: unknown, token?: string): Promise<unknown> {
    const response = await callService(url, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        [byConsoleHeader]: "1",
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      },
      body,
    });
    if (response.ok) return JSON.parse(response.text);
    const refusal = errorBodySchema.safeParse(parsed(response.text)).data;
    if (response.status >= 500 && refusal) {
      // The cause of the failure usually concerns more than this login, for example a full disk.
      const retryAfter = response.headers["retry-after"];
      throw new HttpError(response.status, refusal.code, refusal.Message, {
        headers: { ...(retryAfter !== undefined && { "Retry-After": retryAfter }) },
      });
    }
    const answered = { path: new URL(url).pathname, status: response.status };
    throw refusal
      ? refuse("simLogin.refused", { ...answered, refusal: refusal.Message }, { retryAfter: 1 })
      : refuse("simLogin.failed", answered, { retryAfter: 1 });
  }
  const sim = (step: string) => post(`${addresses.provider}/sim/users/${encodeURIComponent(user)}/${step}`);

  const { code } = simLoginSchema.parse(await sim("login"));
  const first = resultSchema(await post(`${addresses.app}/api/sessions`, { code }));
  const token = first.access_token;
  if (first.has_userinfo === false) await post(`${addresses.app}/api/userinfos`, await sim("user-info"), token);
  if (first.has_phone === false) await post(`${addresses.app}/api/phonenumbers`, await sim("phone-number"), token);
  return { access_token: token, expires_in: first.expires_in };
}
