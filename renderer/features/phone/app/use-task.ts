import { useState } from "react";
import { failureOf, type Failure } from "./ask-server.ts";

/** An action of the person in the app: whether it is running, and the error of the last try. */
export function useTask() {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  /** Resolves to the result of `act`, or to undefined after a failure. */
  async function run<Result>(act: () => Promise<Result>): Promise<Result | undefined> {
    setBusy(true);
    setFailure(undefined);
    try {
      return await act();
    } catch (error) {
      setFailure(failureOf(error));
      return undefined;
    } finally {
      setBusy(false);
    }
  }
  return { busy, failure, run };
}
