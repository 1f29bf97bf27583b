const VAULT_ITEM =
  /^https:\/\/([a-z\d-]+)\.(vault|managedhsm)\.[a-z.]+(?::443)?\/(\w+)\/([^/?#]+)(?:\/[^/?#]*)?$/i;
const STORAGE_ITEM =
  /^https:\/\/([a-z\d-]+)\.(?:z\d+\.)?(blob|dfs|file|queue|table)\.[a-z.]+\/(?:Tables\(')?([^/?#()']+)(?:'\))?\/?$/i;

/**
 * What a data-plane address names, without what depends on cloud and version: `kv.vault/secrets/token` for
 * `https://kv.vault.azure.net/secrets/token/9f2c…`, `logs.blob/raw` for a container. Undefined for what lies
 * deeper (a blob) and for addresses of other services.
 */
export function dataPlaneName(address: string): string | undefined {
  const [, vault, kind, collection, item] = VAULT_ITEM.exec(address) ?? [];
  if (item !== undefined) return `${vault}.${kind}/${collection}/${item}`.toLowerCase();
  const [, account, service = "", name] = STORAGE_ITEM.exec(address) ?? [];
  if (name === undefined) return undefined;
  // A file system of Data Lake is the container of the same name.
  return `${account}.${service.toLowerCase() === "dfs" ? "blob" : service}/${name}`.toLowerCase();
}
