import { currentContext } from "./context.ts";
import { unavailable } from "../values/errors.ts";

/**
 * Settles like `work`, or fails as soon as the current request is aborted. The outcome of `work` is ignored then.
 * @param onAborted called before that failure
 * @throws {AppError} `unavailable`
 */
export async function untilAborted<T>(work: PromiseLike<T>, onAborted?: () => void): Promise<T> {
  const signal = currentContext()?.signal;
  if (!signal) return work;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => {
    onAborted?.();
    reject(unavailable("the caller disconnected"));
  };
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
