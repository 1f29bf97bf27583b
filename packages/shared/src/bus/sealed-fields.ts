import type { RequestContract } from "../contracts/contract.ts";
import { pairOf, type BusKeys } from "../security/encryption/bus-keys.ts";
import { decrypt, encrypt } from "../security/encryption/cipher.ts";
import { SealError } from "../security/encryption/envelope.ts";
import type { KeyRing } from "../security/encryption/keyring.ts";
import { isObject, text } from "../values/json.ts";
import type { FieldPath } from "../contracts/sealed.ts";
import { ownerOf } from "./callers.ts";

/** One direction of a request between two services. A sealed field opens only there. */
export interface Passage {
  keys: BusKeys;
  contract: Pick<RequestContract, "subject" | "sealed">;
  caller: string;
  /** The organization of the request; undefined if it has none. */
  orgId: unknown;
}

type Part = "input" | "output";

/** A sealed field on its way: the id of its key, and base64 text. */
interface SealedField {
  key: string;
  sealed: string;
}

/**
 * Returns `value` with the contract's secret fields encrypted. Fields that aren't text stay for the owner's check.
 * @throws {SealError} without a key for the pair
 */
export function sealFields(passage: Passage, part: Part, value: unknown): unknown {
  return eachField(passage, part, value, (ring, associated, field): unknown => {
    if (typeof field !== "string") return field;
    const { id, secret } = ring.current;
    const sealed = encrypt(secret, associated, Buffer.from(field)).toString("base64");
    return { key: id, sealed } satisfies SealedField;
  });
}

/**
 * Returns `value` with its secret fields decrypted.
 * @throws {SealError} if one came in clear, was changed or moved, or is sealed with another key
 */
export function openFields(passage: Passage, part: Part, value: unknown): unknown {
  return eachField(passage, part, value, (ring, associated, field): unknown => {
    const { subject } = passage.contract;
    if (typeof field === "string") throw new SealError(`a secret of ${subject} came in clear`);
    const [id, sealed] = isObject(field) ? [text(field, "key"), text(field, "sealed")] : [];
    if (id === undefined || sealed === undefined) return field;
    const key = ring.byId(id);
    if (!key) throw new SealError(`LEEWAY_BUS_KEYS has no ${id}, which sealed a secret of ${subject}`);
    try {
      return decrypt(key.secret, associated, Buffer.from(sealed, "base64")).toString("utf8");
    } catch (cause) {
      throw new SealError(`a secret of ${subject} was changed or moved on its way`, { cause });
    }
  });
}

/** Returns whether the contract has secret fields in `part`. */
export function hasSealed({ contract }: Pick<Passage, "contract">, part: Part): boolean {
  return contract.sealed[part].length > 0;
}

function eachField(
  passage: Passage,
  part: Part,
  value: unknown,
  change: (ring: KeyRing, associated: Buffer, field: unknown) => unknown,
): unknown {
  const { contract, caller, keys, orgId } = passage;
  const fields = contract.sealed[part];
  if (fields.length === 0) return value;
  const pair = pairOf(caller, ownerOf(contract.subject));
  const ring = keys.get(pair);
  if (!ring) throw new SealError(`LEEWAY_BUS_KEYS has no key of ${pair}`);
  return fields.reduce((whole: unknown, path) => {
    const place = [contract.subject, part, orgId ?? null, ...path];
    return changed(whole, path, (field) => change(ring, Buffer.from(JSON.stringify(place)), field));
  }, value);
}

/** Returns `value` with another text at `path`, if there is one. */
function changed(value: unknown, path: FieldPath, change: (field: unknown) => unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return change(value);
  if (!isObject(value) || value[name] === undefined) return value;
  return { ...value, [name]: changed(value[name], rest, change) };
}

/** Returns the passage of a request; undefined from version 0.1.0, which seals nothing and opens nothing. */
export function passageOf(
  contract: RequestContract,
  sent: unknown,
  { keys, caller }: { keys: BusKeys; caller: string | undefined },
): Passage | undefined {
  const orgId = isObject(sent) ? sent["org_id"] : undefined;
  return caller === undefined ? undefined : { keys, contract, caller, orgId };
}

/** Returns the message with its fields opened, if it came with a passage. */
export function opened(passage: Passage | undefined, sent: unknown): unknown {
  return passage ? openFields(passage, "input", sent) : sent;
}
