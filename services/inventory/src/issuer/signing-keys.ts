import { createPrivateKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";

import type { PublicKey } from "@leeway/shared/contracts/inventory/identity-keys";
import type { Database } from "@leeway/shared/database/database";
import { open } from "@leeway/shared/security/encryption/envelope";
import type { KeyRing } from "@leeway/shared/security/encryption/keyring";

import { keyRotation } from "./key-rotation.ts";
import { addKey, changeKeys, keyPlace, listKeys, removeKeys, type KeyPair, type StoredKey } from "./store.ts";

/** An algorithm that both Google and Azure accept. */
export const ALGORITHM = "RS256";
const MODULUS_BITS = 2048;
const KEPT_MS = 5 * 60_000;

/** Generates keys off the event loop, because that takes at least a tenth of a second. */
const makeKeyPair = promisify(generateKeyPair);

/** The keys of this installation, shared by all its processes. */
export interface SigningKeys {
  /** Returns all published keys. */
  published(): Promise<PublicKey[]>;
  /** Returns the key that signs now. */
  current(): Promise<{ id: string; privateKey: KeyObject }>;
}

interface Loaded {
  published: PublicKey[];
  current: { id: string; privateKey: KeyObject };
}

/** Returns keys that are created on demand, stored encrypted, and renewed by `keyRotation`. */
export function createSigningKeys({ database, ring }: { database: Database; ring: KeyRing }): SigningKeys {
  let kept: { loaded: Promise<Loaded>; until: number } | undefined;

  function loaded(): Promise<Loaded> {
    if (kept && kept.until > Date.now()) return kept.loaded;
    const loading = { loaded: load(database, ring), until: Date.now() + KEPT_MS };
    kept = loading;
    loading.loaded.catch(() => {
      if (kept === loading) kept = undefined;
    });
    return loading.loaded;
  }
  return {
    published: async () => (await loaded()).published,
    current: async () => (await loaded()).current,
  };
}

async function load(database: Database, ring: KeyRing): Promise<Loaded> {
  const found = await listKeys(database.system);
  const { isDue, spent } = keyRotation(found.keys, found.now);
  if (isDue || spent.length > 0) await rotate(database, ring, isDue ? await newKey() : undefined);
  const { keys, now } = await listKeys(database.system);
  const { signs } = keyRotation(keys, now);
  if (!signs) throw new Error("no signing key is available");
  return {
    published: keys.map(({ publicKey }) => publicKey),
    current: { id: signs.id, privateKey: privateKeyOf(ring, signs) },
  };
}

/** Stores a new key if one is still due. If another process was faster, its key is used and `fresh` is dropped. */
async function rotate(database: Database, ring: KeyRing, fresh: KeyPair | undefined): Promise<void> {
  await changeKeys(database, async (tx, { keys, now }) => {
    const { isDue, spent } = keyRotation(keys, now);
    if (isDue && fresh) await addKey(tx, ring, fresh);
    await removeKeys(
      tx,
      spent.map(({ id }) => id),
    );
  });
}

async function newKey(): Promise<KeyPair> {
  const { publicKey, privateKey } = await makeKeyPair("rsa", { modulusLength: MODULUS_BITS });
  const { n = "", e = "" } = publicKey.export({ format: "jwk" });
  return {
    publicKey: { kty: "RSA", use: "sig", alg: ALGORITHM, kid: Bun.randomUUIDv7(), n, e },
    privateKey: privateKey.export({ type: "pkcs8", format: "pem" }),
  };
}

function privateKeyOf(ring: KeyRing, { id, sealed }: StoredKey): KeyObject {
  return createPrivateKey(open(ring, keyPlace(id), sealed));
}
