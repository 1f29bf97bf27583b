/** Returns the result of `work`. @throws {Error} `problem`, when it takes longer than `ms` */
export async function within<T>(ms: number, work: PromiseLike<T>, problem: string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(problem)), ms);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
