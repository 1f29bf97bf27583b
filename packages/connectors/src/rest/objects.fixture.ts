/** Object storage for tests, by path. Every object has an entity tag and supports `If-None-Match`. */
export class Objects {
  readonly #kept = new Map<string, Uint8Array<ArrayBuffer>>();
  /** Number of full downloads. */
  given = 0;

  put(path: string, content: string): void {
    this.#kept.set(path, new TextEncoder().encode(content));
  }

  remove(path: string): void {
    this.#kept.delete(path);
  }

  /** Answers a request; `missing` creates the answer for an unknown path. */
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
