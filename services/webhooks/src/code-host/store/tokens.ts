import type { OrgStatements, Row } from "@leeway/shared/database/database";

/** URL of a code host, with a token for it. */
export interface SealedToken extends Row {
  config_id: string;
  base_url: string;
  sealed: Uint8Array;
  /** Problem that the code host reported at the last attempt. */
  error: string | null;
}

/**
 * Returns the tokens for a repository: the named config's first, then those limited to this repository, then others.
 * A repository on another host is a different one. So the host is that of `url` if a config exists for it, or else
 * the named config's.
 */
export async function tokensFor(
  sql: OrgStatements,
  {
    repository,
    configId,
    url,
  }: { repository: string; configId: string | undefined; url: string | undefined },
): Promise<SealedToken[]> {
  return sql<SealedToken>`
    select id as config_id, provider_base_url as base_url, sealed_api_token as sealed, token_error as error
      from webhooks.configs
     where org_id = ${sql.orgId}
       and source = 'vcs'
       and enabled
       and (repo_path is null or repo_path = ${repository})
       and provider_base_url = coalesce(
             (
               select provider_base_url
                 from webhooks.configs
                where org_id = ${sql.orgId} and starts_with(${url ?? null}::text, provider_base_url || '/')
                order by length(provider_base_url) desc
                limit 1
             ),
             (select provider_base_url from webhooks.configs where org_id = ${sql.orgId} and id = ${configId ?? null}::uuid),
             provider_base_url
           )
     order by id is distinct from ${configId ?? null}::uuid, repo_path nulls last, id
  `;
}

/** Marks a token as rejected by the code host; returns false if the config has a new token by now. */
export async function markToken(
  sql: OrgStatements,
  { config_id: configId, sealed }: SealedToken,
  error: string,
): Promise<boolean> {
  const marked = await sql`
    update webhooks.configs
       set token_error = ${error},
           token_checked_at = now()
     where org_id = ${sql.orgId}
       and id = ${configId}
       and sealed_api_token = ${Buffer.from(sealed)}
  `;
  return marked.count > 0;
}
