import { constantTimeEqual } from "../values/digest.ts";
import { AppError } from "../values/errors.ts";
import { deriveKeys, type KeyRing } from "./encryption/keyring.ts";

const VERSION = "1";
const MAC_BYTES = 16;

/** The scope of a cursor, which is rejected for any other list, organization or filter. */
export interface CursorScope {
  collection: string;
  orgId: string;
  filters: Record<string, string | number | boolean | readonly string[] | undefined>;
}

/** Writer and reader of opaque positions in lists: `<version>.<last key>.<mac>`, base64url. */
export interface Cursors {
  /** Returns a cursor for the rows after `lastKey`. */
  write(scope: CursorScope, lastKey: string): string;
  /**
   * Returns the key to continue after; undefined for the first page.
   * @throws {AppError} `invalid_cursor` if it was changed, or is from another list, organization or filter
   */
  read(scope: CursorScope, cursor: string | undefined): string | undefined;
}

export function createCursors(ring: KeyRing): Cursors {
  const { current, all } = deriveKeys(ring, "cursor");
  return {
    write(scope, lastKey) {
      const payload = Buffer.from(lastKey).toString("base64url");
      return `${VERSION}.${payload}.${macOf(current, scope, payload)}`;
    },
    read(scope, cursor) {
      if (cursor === undefined) return undefined;
      const [version, payload = "", mac = "", ...rest] = cursor.split(".");
      const genuine = all.some((key) => constantTimeEqual(mac, macOf(key, scope, payload)));
      if (version !== VERSION || rest.length > 0 || !genuine) {
        throw new AppError(
          "invalid_cursor",
          "cursor isn't valid for this list; use the next_cursor of the previous page",
        );
      }
      return Buffer.from(payload, "base64url").toString("utf8");
    },
  };
}

function macOf(key: Buffer, { collection, orgId, filters }: CursorScope, payload: string): string {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  const scope = JSON.stringify([collection, orgId, given.toSorted(([a], [b]) => (a < b ? -1 : 1)), payload]);
  return new Bun.CryptoHasher("sha256", key)
    .update(scope)
    .digest()
    .subarray(0, MAC_BYTES)
    .toString("base64url");
}
