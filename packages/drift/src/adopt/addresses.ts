const LONGEST = 60;

/** Gives names to resources and variables; each name is used once. */
export class Names {
  readonly #taken: Set<string>;

  /** @param taken addresses that exist already */
  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set(taken);
  }

  /** Returns a free address `<prefix>.<name>` for a resource that is called like this. */
  take(prefix: string, called: string): string {
    const name = identifier(called);
    for (let number = 1; ; number += 1) {
      const address = `${prefix}.${number === 1 ? name : `${name}_${number}`}`;
      if (this.#taken.has(address)) continue;
      this.#taken.add(address);
      return address;
    }
  }
}

/** Returns a valid name in code. */
export function identifier(called: string): string {
  const name = called
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z\d_]+/g, "_")
    .replaceAll(/^_+|_+$/g, "")
    .slice(0, LONGEST)
    .replace(/_+$/, "");
  if (name === "") return "main";
  return /^\d/.test(name) ? `_${name}` : name;
}
