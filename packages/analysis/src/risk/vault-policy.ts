import { isObject, text, type Json } from "@leeway/shared/values/json";

/** Longer policies and further paths aren't read, which bounds the time for any plan. */
const LONGEST = 100_000;
const MAX_PATHS = 500;

const PATHS = /path\s{1,9}"([^"]{1,300})"\s{0,9}\{([^}]{0,2000})\}/g;
const EVERY_PATH = /^(?:\*|\+\/\*|sys\/\*|sys\/policies?\/(?:acl\/)?\*|auth\/\*)$/;

/** Returns the paths with which the holder of a Vault policy can acquire every other right. */
export function fullVaultPaths(side: Json): string[] {
  const policy = isObject(side) ? (text(side, "policy") ?? "") : "";
  if (policy.length > LONGEST) return [];
  return [...policy.matchAll(PATHS)]
    .slice(0, MAX_PATHS)
    .filter(([, path = "", rules = ""]) => EVERY_PATH.test(path) && /"(?:create|update|sudo)"/.test(rules))
    .map(([, path = ""]) => path);
}
