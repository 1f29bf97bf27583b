import { createPrivateKey } from "node:crypto";

import { invalidParameter, type AppError } from "@leeway/shared/values/errors";
import { isObject, text, type JsonObject } from "@leeway/shared/values/json";

/** Fields that are used from a service account's key. URLs are ignored because they could point anywhere. */
export interface ServiceAccountKey {
  email: string;
  keyId?: string;
  /** PEM-encoded key. */
  privateKey: string;
}

/** Google's own token endpoints, as keys name them. */
const TOKEN_URL = "https://oauth2.googleapis.com/token";
const TOKEN_URLS = new Set([TOKEN_URL, "https://accounts.google.com/o/oauth2/token"]);
const EMAIL = /^[a-z\d][a-z\d.-]*@[a-z\d.:-]+\.gserviceaccount\.com$/;

/**
 * Reads the JSON key file of a service account.
 * @throws {AppError} `invalid_parameter` that quotes nothing from the file
 */
export function readServiceAccountKey(json: string): ServiceAccountKey {
  const key = parsed(json);
  const type = text(key, "type");
  if (type !== "service_account") throw wrong("must be the JSON key file of a service account");
  if (!TOKEN_URLS.has(text(key, "token_uri") ?? TOKEN_URL))
    throw wrong("has a token_uri that isn't Google's");
  if ((text(key, "universe_domain") ?? "googleapis.com") !== "googleapis.com")
    throw wrong("has a universe_domain other than googleapis.com");
  const privateKey = text(key, "private_key") ?? "";
  if (!isRsa(privateKey)) throw wrong("has no RSA private key");
  const keyId = text(key, "private_key_id");
  return {
    email: serviceAccountEmail(text(key, "client_email"), wrong),
    privateKey,
    ...(keyId && { keyId }),
  };
}

/** Returns the address unchanged. @throws the result of `refuse` if it isn't a service account's address */
export function serviceAccountEmail(email = "", refuse: (message: string) => AppError): string {
  if (!EMAIL.test(email))
    throw refuse("has no service account address such as name@project.iam.gserviceaccount.com");
  return email;
}

function wrong(message: string): AppError {
  return invalidParameter("credentials.service_account_key", message);
}

function parsed(json: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRsa(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === "rsa";
  } catch {
    return false;
  }
}
