import { isObject, text } from "@leeway/shared/json";
import { join } from "node:path";

import { readPrivateJson, readReplaceableJson, writePrivateJson } from "../local/files.ts";
import { newPassword } from "../local/password.ts";
import type { Demo } from "./seed.ts";

/** What must outlive a start: lose it, and what the database holds can't be read any more. */
export interface Secrets {
  /** `id:base64`, as LEEWAY_MASTER_KEYS. */
  masterKeys: string;
  operatorToken: string;
  /** By service. */
  rolePasswords: Readonly<Record<string, string>>;
}

/** The secrets kept in `dir`, made where they are missing. The environment's own come first and aren't kept. */
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

/** The demo organization that {@link saveDemo} kept in `dir`. */
export async function loadDemo(dir: string): Promise<Demo | undefined> {
  const known = await readReplaceableJson(demoFile(dir));
  const orgId = text(known, "org_id");
  const apiKey = text(known, "api_key");
  return orgId === undefined || apiKey === undefined ? undefined : { org_id: orgId, api_key: apiKey };
}

export async function saveDemo(dir: string, demo: Demo): Promise<void> {
  await writePrivateJson(demoFile(dir), demo);
}

const demoFile = (dir: string): string => join(dir, "demo.json");

function newMasterKey(): string {
  const key = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64");
  return `k${new Date().toISOString().slice(0, 10).replaceAll("-", "")}:${key}`;
}
