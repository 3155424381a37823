import { simulatedLogin } from "../app/console/simulated-login.ts";
import { RunError } from "../supervisor/run-error.ts";

/**
 * Logs a simulated user in completely, and returns the session token. @throws RunError, for example for a blocked user
 */
export async function simulatedToken(user: string, addresses: { app: string; provider: string }): Promise<string> {
  const { access_token } = await simulatedLogin(user, addresses).catch((error: Error) => {
    throw new RunError(error.message);
  });
  return access_token;
}
