import { createPrivateKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";

import type { PublicKey } from "@leeway/shared/contracts/inventory/identity-keys";
import type { Database } from "@leeway/shared/database/database";
import { open } from "@leeway/shared/encryption/envelope";
import type { KeyRing } from "@leeway/shared/encryption/keyring";

import { keyRotation } from "./key-rotation.ts";
import { addKey, changeKeys, keyPlace, listKeys, removeKeys, type KeyPair, type StoredKey } from "./store.ts";

/** Google and Azure both take it. */
export const ALGORITHM = "RS256";
const MODULUS_BITS = 2048;
const KEPT_MS = 5 * 60_000;

/** Beside the event loop: it takes a tenth of a second and more. */
const makeKeyPair = promisify(generateKeyPair);

/** The keys of this installation, the same in all its processes. */
export interface SigningKeys {
  /** Every key that is published. */
  published(): Promise<PublicKey[]>;
  /** The key that signs now. */
  current(): Promise<{ id: string; privateKey: KeyObject }>;
}

interface Loaded {
  published: PublicKey[];
  current: { id: string; privateKey: KeyObject };
}

/** Keys made when they are needed, sealed in the database, and renewed as `keyRotation` says. */
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
  if (!signs) throw new Error("there is no key to sign with");
  return {
    published: keys.map(({ publicKey }) => publicKey),
    current: { id: signs.id, privateKey: privateKeyOf(ring, signs) },
  };
}

/** Whoever comes first adds a key; the others find it there, and drop theirs. */
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
