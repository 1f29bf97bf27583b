/** Letters, digits, `-` and `_`: safe in a URL and in a configuration file. */
export function newPassword(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString("base64url");
}
