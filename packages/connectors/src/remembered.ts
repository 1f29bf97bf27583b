/** Caches the result of `find`. Failures aren't cached. If the first caller aborts, the others try again. */
export function remembered<T>(
  find: (signal: AbortSignal) => Promise<T>,
): (signal: AbortSignal) => Promise<T> {
  let found: { by: AbortSignal; value: Promise<T> } | undefined;
  return async function recall(signal): Promise<T> {
    const finding = (found ??= { by: signal, value: find(signal) });
    try {
      return await finding.value;
    } catch (error) {
      if (found === finding) found = undefined;
      if (finding.by.aborted && !signal.aborted) return recall(signal);
      throw error;
    }
  };
}
