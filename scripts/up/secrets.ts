import { isObject, text } from "@leeway/shared/values/json";
import { join } from "node:path";

import { readPrivateJson, readReplaceableJson, writePrivateJson } from "../local/files.ts";
import { newPassword } from "../local/password.ts";
import type { Demo, EarlierDemo } from "./seed.ts";

/** Secrets that are kept between starts: without them the stored data can't be decrypted. */
export interface Secrets {
  /** Master keys as in LEEWAY_MASTER_KEYS: `id:base64`. */
  masterKeys: string;
  operatorToken: string;
  /** Passwords of database roles, by service. */
  rolePasswords: Readonly<Record<string, string>>;
}

/**
 * Loads the secrets stored in `dir`, and creates missing ones. Secrets in the environment take precedence and aren't
 * stored.
 */
export async function loadSecrets(
  dir: string,
  services: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Secrets> {
  const file = join(dir, "secrets.json");
  const known = await readPrivateJson(file);
  const passwords = known?.["rolePasswords"];
  const kept: Secrets = {
    masterKeys: text(known, "masterKeys") ?? newMasterKey(),
    operatorToken: text(known, "operatorToken") ?? newPassword(),
    rolePasswords: Object.fromEntries(
      services.map((name) => [name, (isObject(passwords) && text(passwords, name)) || newPassword()]),
    ),
  };
  await writePrivateJson(file, kept);
  return {
    ...kept,
    masterKeys: env["LEEWAY_MASTER_KEYS"] || kept.masterKeys,
    operatorToken: env["OPERATOR_TOKEN"] || kept.operatorToken,
  };
}

/** Loads the demo organization that {@link saveDemo} stored in `dir`. */
export async function loadDemo(dir: string): Promise<EarlierDemo | undefined> {
  const known = await readReplaceableJson(demoFile(dir));
  const orgId = text(known, "org_id");
  const apiKey = text(known, "api_key");
  const memberKey = text(known, "member_key");
  if (orgId === undefined || apiKey === undefined) return undefined;
  return { org_id: orgId, api_key: apiKey, ...(memberKey !== undefined && { member_key: memberKey }) };
}

export async function saveDemo(dir: string, demo: Demo): Promise<void> {
  await writePrivateJson(demoFile(dir), demo);
}

const demoFile = (dir: string): string => join(dir, "demo.json");

function newMasterKey(): string {
  const key = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64");
  return `k${new Date().toISOString().slice(0, 10).replaceAll("-", "")}:${key}`;
}
