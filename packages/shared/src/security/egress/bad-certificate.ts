/** Error codes for an untrusted peer, from the TLS library and from the runtime. */
const CODE = /^(?:ERR_TLS_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_(?:VERIFY|GET_ISSUER)|HOSTNAME_MISMATCH)/;

/** Checks whether a connection failed with `code` because of the peer's certificate. */
export function isBadCertificate(code: string): boolean {
  return CODE.test(code);
}
