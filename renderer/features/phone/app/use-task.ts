import { useState } from "react";
import { failureOf, type Failure } from "./ask-server.ts";

/** Something that the person makes the app do: whether it is under way, and why the last try failed. */
export function useTask() {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  /** Resolves with what `act` gave, or with undefined after a failure. */
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
