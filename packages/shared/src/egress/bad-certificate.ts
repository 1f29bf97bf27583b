/** Failures to trust whom one has connected to, of the library behind TLS and the runtime's own. */
const CODE = /^(?:ERR_TLS_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_(?:VERIFY|GET_ISSUER)|HOSTNAME_MISMATCH)/;

/** Whether a connection failed with `code` because of the other side's certificate. */
export function isBadCertificate(code: string): boolean {
  return CODE.test(code);
}
