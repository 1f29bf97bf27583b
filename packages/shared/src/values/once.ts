/** Returns a function that makes a value at its first call and returns the same one from then on. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Returns a function that derives a value from each object once and keeps it as long as the object lives. */
export function oncePer<K extends object, V>(derive: (from: K) => V): (from: K) => V {
  const known = new WeakMap<K, { value: V }>();
  return (from) => {
    let derived = known.get(from);
    if (derived === undefined) known.set(from, (derived = { value: derive(from) }));
    return derived.value;
  };
}
