/** Objects as a cloud's storage keeps them, by their path; each has an entity tag, and is given when that is another. */
export class Objects {
  readonly #kept = new Map<string, Uint8Array<ArrayBuffer>>();
  /** How often one was given in full. */
  given = 0;

  put(path: string, content: string): void {
    this.#kept.set(path, new TextEncoder().encode(content));
  }

  remove(path: string): void {
    this.#kept.delete(path);
  }

  /** `missing` is what is said of what isn't there. */
  answer(request: Request, path: string, missing: () => Response): Response {
    const bytes = this.#kept.get(path);
    if (!bytes) return missing();
    const etag = `"${new Bun.CryptoHasher("md5").update(bytes).digest("hex")}"`;
    if (request.headers.get("if-none-match") === etag)
      return new Response(null, { status: 304, headers: { etag } });
    this.given += 1;
    return new Response(bytes, { headers: { etag } });
  }
}
