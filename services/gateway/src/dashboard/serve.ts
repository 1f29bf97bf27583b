import { isWanted } from "../http/accepted.ts";
import type { Answer } from "../http/answer.ts";
import { pathOf } from "../http/parameters.ts";
import type { StaticFile, StaticFiles } from "./files.ts";

const METHODS = new Set(["GET", "HEAD"]);
const PAGE = "/index.html";
/** Files with a hash of their content in the name. */
const HASHED = /^\/assets\//;
/** Paths outside the dashboard, so that a mistyped API path gets an error and not a page. */
const OTHERS = /^\/(api|webhooks|operator|docs|auth|mail|cli|healthz|readyz|metrics|assets)(\/|$)/;

/**
 * Content security policy: only our own files run or load, text never becomes script, and no other site may frame a
 * page.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const PAGE_HEADERS = {
  "cache-control": "no-cache",
  "content-security-policy": POLICY,
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
};
const HASHED_HEADERS = { "cache-control": "public, max-age=31536000, immutable" };

/**
 * Returns a file of the dashboard, or its page for any path that a browser opens: the dashboard does its own routing.
 * Returns undefined for all other requests.
 */
export function dashboardAnswer(files: StaticFiles, request: Request): Answer | undefined {
  const path = pathOf(request.url);
  if (!METHODS.has(request.method)) return undefined;
  const known = files.get(path);
  if (known && HASHED.test(path)) return answerOf(known, request, HASHED_HEADERS);
  const page = files.get(PAGE);
  return page && isPage(path, request) ? answerOf(page, request, PAGE_HEADERS) : undefined;
}

function isPage(path: string, { headers }: Request): boolean {
  return path === "/" || (!OTHERS.test(path) && isWanted(headers.get("accept"), "text/html"));
}

function answerOf(file: StaticFile, request: Request, more: Answer["headers"]): Answer {
  const headers = { etag: file.etag, vary: "Accept-Encoding", ...more };
  if (request.headers.get("if-none-match")?.includes(file.etag)) return { status: 304, headers, body: null };
  const accepted = request.headers.get("accept-encoding");
  const [encoding, bytes] = file.encoded.find(([name]) => isWanted(accepted, name)) ?? [
    undefined,
    file.plain,
  ];
  const full = { ...headers, "content-type": file.type, ...(encoding && { "content-encoding": encoding }) };
  return { status: 200, headers: full, body: bytes };
}
