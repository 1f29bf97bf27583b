const VAULT_ITEM =
  /^https:\/\/([a-z\d-]+)\.(vault|managedhsm)\.[a-z.]+(?::443)?\/(\w+)\/([^/?#]+)(?:\/[^/?#]*)?$/i;
const STORAGE_ITEM =
  /^https:\/\/([a-z\d-]+)\.(?:z\d+\.)?(blob|dfs|file|queue|table)\.[a-z.]+\/(?:Tables\(')?([^/?#()']+)(?:'\))?\/?$/i;

/**
 * Returns the name in a data-plane address, without the cloud's domain and version.
 * `https://kv.vault.azure.net/secrets/token/9f2c…` becomes `kv.vault/secrets/token`; a container becomes
 * `logs.blob/raw`. Returns undefined for deeper paths (a blob) and for other services.
 */
export function dataPlaneName(address: string): string | undefined {
  const [, vault, kind, collection, item] = VAULT_ITEM.exec(address) ?? [];
  if (item !== undefined) return `${vault}.${kind}/${collection}/${item}`.toLowerCase();
  const [, account, service = "", name] = STORAGE_ITEM.exec(address) ?? [];
  if (name === undefined) return undefined;
  // A Data Lake file system is the container with the same name.
  return `${account}.${service.toLowerCase() === "dfs" ? "blob" : service}/${name}`.toLowerCase();
}
