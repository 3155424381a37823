import type { UseMutationResult } from "@tanstack/react-query";

/**
 * Runs a mutation whose component may unmount before the answer, because the event of the change may come first. `mutate`
 * would drop its callbacks then. Without `onError`, the mutation itself reports the error.
 */
export function carryOut<Data, Variables>(
  { mutateAsync }: Pick<UseMutationResult<Data, Error, Variables>, "mutateAsync">,
  variables: Variables,
  onSuccess: (data: Data) => void,
  onError: (error: unknown) => void = () => undefined,
): void {
  void mutateAsync(variables).then(onSuccess, onError);
}
