/** Returns a random password of letters, digits, `-` and `_`, which is safe in URLs and configuration files. */
export function newPassword(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString("base64url");
}
