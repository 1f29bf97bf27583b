import { createPrivateKey } from "node:crypto";

import { invalidParameter, type AppError } from "@leeway/shared/errors";
import { isObject, text, type JsonObject } from "@leeway/shared/json";

/** What is taken of a service account's key; its URLs are not: they could lead us anywhere. */
export interface ServiceAccountKey {
  email: string;
  keyId?: string;
  /** PEM. */
  privateKey: string;
}

/** Google's own token endpoints, as keys name them. */
const TOKEN_URL = "https://oauth2.googleapis.com/token";
const TOKEN_URLS = new Set([TOKEN_URL, "https://accounts.google.com/o/oauth2/token"]);
const EMAIL = /^[a-z\d][a-z\d.-]*@[a-z\d.:-]+\.gserviceaccount\.com$/;

/**
 * Reads the JSON file that Google gives out with a service account's key.
 * @throws {AppError} `invalid_parameter` that quotes nothing of it
 */
export function readServiceAccountKey(json: string): ServiceAccountKey {
  const key = parsed(json);
  const type = text(key, "type");
  if (type !== "service_account") throw wrong("must be the JSON file of a service account's key");
  if (!TOKEN_URLS.has(text(key, "token_uri") ?? TOKEN_URL))
    throw wrong("names a token_uri that isn't Google's");
  if ((text(key, "universe_domain") ?? "googleapis.com") !== "googleapis.com")
    throw wrong("is of a universe_domain other than googleapis.com");
  const privateKey = text(key, "private_key") ?? "";
  if (!isRsa(privateKey)) throw wrong("holds no private RSA key");
  const keyId = text(key, "private_key_id");
  return {
    email: serviceAccountEmail(text(key, "client_email"), wrong),
    privateKey,
    ...(keyId && { keyId }),
  };
}

/** The address as it is. @throws what `refuse` makes of one that is no service account's */
export function serviceAccountEmail(email = "", refuse: (message: string) => AppError): string {
  if (!EMAIL.test(email))
    throw refuse("names no service account, such as name@project.iam.gserviceaccount.com");
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
