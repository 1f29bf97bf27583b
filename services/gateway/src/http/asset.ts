import { sha256 } from "@leeway/shared/digest";

import { isWanted } from "./accepted.ts";
import type { Answer } from "./answer.ts";

/** Something that is the same for everybody until the next release. */
export type Asset = (request: Request) => Answer;

/** Bytes to be asked for again only when they have changed, compressed for whoever takes that. */
export function createAsset(
  content: string | Uint8Array<ArrayBuffer>,
  type: string,
  more: Readonly<Record<string, string>> = {},
): Asset {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const compressed = Bun.gzipSync(bytes);
  const etag = `W/"${sha256(bytes).toString("base64url").slice(0, 22)}"`; // weak: both encodings have it
  const headers = { etag, vary: "Accept-Encoding", "cache-control": "no-cache", ...more };
  return (request) => {
    if (request.headers.get("if-none-match")?.includes(etag)) return { status: 304, headers, body: null };
    const full = { ...headers, "content-type": type };
    if (!isWanted(request.headers.get("accept-encoding"), "gzip"))
      return { status: 200, headers: full, body: bytes };
    return { status: 200, headers: { ...full, "content-encoding": "gzip" }, body: compressed };
  };
}
