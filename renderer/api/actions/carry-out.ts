import type { UseMutationResult } from "@tanstack/react-query";

/**
 * Does what `mutate` does, for a change with which the component may go: the event that tells of it may come before the
 * answer, and `mutate` calls nobody back once the component has gone. An error without `onError` is the mutation's own.
 */
export function carryOut<Data, Variables>(
  { mutateAsync }: Pick<UseMutationResult<Data, Error, Variables>, "mutateAsync">,
  variables: Variables,
  onSuccess: (data: Data) => void,
  onError: (error: unknown) => void = () => undefined,
): void {
  void mutateAsync(variables).then(onSuccess, onError);
}
