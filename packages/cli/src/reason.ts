/** Descriptions of system and runtime error codes. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EEXIST: "a file exists where its directory should be",
  EISDIR: "it is a directory",
  EMFILE: "too many open files",
  ENAMETOOLONG: "the name is too long",
  ENOENT: "no such file or directory",
  ENOSPC: "no space left on the device",
  ENOTDIR: "a part of the path isn't a directory",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",

  CERT_HAS_EXPIRED: "its certificate has expired",
  EAI_AGAIN: "the DNS server doesn't answer",
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection closed; a proxy may do this when a body is too large",
  EHOSTUNREACH: "no route to the host",
  ENETUNREACH: "no route to the network",
  ENOTFOUND: "the host name doesn't resolve",
  EPIPE: "connection closed; a proxy may do this when a body is too large",
  EPROTO: "the server doesn't speak TLS there: is it an http:// address?",
  ERR_SSL_WRONG_VERSION_NUMBER: "the server doesn't speak TLS there: is it an http:// address?",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host name",
  ETIMEDOUT: "no answer in time",
  HPE_INVALID_CONSTANT: "the server doesn't speak HTTP there",
  UND_ERR_CONNECT_TIMEOUT: "no answer in time",
  UND_ERR_SOCKET: "connection closed",
};
const UNTRUSTED = /^(?:DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED|UNABLE_TO_GET_ISSUER|UNABLE_TO_VERIFY)_/;

/** Explains why a file or URL couldn't be used. Unknown messages may quote URLs, so they aren't shown. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown reason";
  if (error.name === "TimeoutError") return "no answer in time";
  const code = codeOf(error.cause) ?? codeOf(error);
  if (code === undefined) return blocked(error) ? "the runtime blocks this port" : "unknown reason";
  if (UNTRUSTED.test(code)) {
    return "its certificate isn't trusted; add your own CA with NODE_EXTRA_CA_CERTS=FILE";
  }
  return REASONS[code] ?? `unknown reason (${code})`;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Checks for a port of another protocol, which `fetch` refuses: https://fetch.spec.whatwg.org/#port-blocking */
function blocked({ cause }: Error): boolean {
  return cause instanceof Error && cause.message === "bad port";
}
