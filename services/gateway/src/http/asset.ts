import { sha256 } from "@leeway/shared/values/digest";

import { isWanted } from "./accepted.ts";
import type { Answer } from "./answer.ts";

/** Content that is the same for every caller until the next release. */
export type Asset = (request: Request) => Answer;

/** Creates an asset that clients revalidate, compressed for clients that accept gzip. */
export function createAsset(
  content: string | Uint8Array<ArrayBuffer>,
  type: string,
  more: Readonly<Record<string, string>> = {},
): Asset {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const compressed = Bun.gzipSync(bytes);
  const etag = `W/"${sha256(bytes).toString("base64url").slice(0, 22)}"`; // weak, because both encodings share it
  const headers = { etag, vary: "Accept-Encoding", "cache-control": "no-cache", ...more };
  return (request) => {
    if (request.headers.get("if-none-match")?.includes(etag)) return { status: 304, headers, body: null };
    const full = { ...headers, "content-type": type };
    if (!isWanted(request.headers.get("accept-encoding"), "gzip"))
      return { status: 200, headers: full, body: bytes };
    return { status: 200, headers: { ...full, "content-encoding": "gzip" }, body: compressed };
  };
}
