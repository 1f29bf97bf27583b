import { asciiLower } from "@leeway/shared/values/ascii";
import { sha256 } from "@leeway/shared/values/digest";

/**
 * Returns the key of an address in the database. Only ASCII letters are lower-cased. Other letters that look or fold
 * alike may be a different mailbox, whose owner hasn't agreed to mail.
 */
export function addressKey(address: string): Buffer {
  return sha256(asciiLower(address));
}

/**
 * Returns one name for all spellings that usually reach the same mailbox: `Ada.L+x@example.com` is
 * `adal@example.com`. Only rate limits use it, where a false match merely makes two people share a limit.
 */
export function mailboxOf(address: string): string {
  const folded = address.normalize("NFKC").toLowerCase();
  const at = folded.lastIndexOf("@");
  const [local = ""] = folded.slice(0, at).split("+");
  return local.replaceAll(".", "") + folded.slice(at);
}
