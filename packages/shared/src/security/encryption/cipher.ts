import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const CIPHER = "aes-256-gcm";
export const KEY_BYTES = 32;
export const IV_BYTES = 12;
export const TAG_BYTES = 16;

/** Encrypts with AES-256-GCM, bound to `associatedData`. Layout: iv, ciphertext, tag. */
export function encrypt(key: Buffer, associatedData: Buffer, plaintext: Uint8Array): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES }).setAAD(associatedData);
  return Buffer.concat([iv, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/**
 * Decrypts the output of {@link encrypt}.
 * @throws {Error} if the data was changed, is bound to something else, or was encrypted with another key
 */
export function decrypt(key: Buffer, associatedData: Buffer, sealed: Uint8Array): Buffer {
  const tagStart = sealed.length - TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(associatedData).setAuthTag(sealed.subarray(tagStart));
  const plaintext = decipher.update(sealed.subarray(IV_BYTES, tagStart));
  decipher.final(); // checks the tag; GCM holds back no bytes
  return plaintext;
}
