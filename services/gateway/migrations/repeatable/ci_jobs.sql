-- Lists identities of an issuer's namespace, of one organization or of all (null).
create or replace function identity.find_ci_identities(the_issuer text, the_namespace text, the_org uuid, at_most integer)
returns table (org_id uuid, id uuid, claims jsonb, role text)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select i.org_id, i.id, i.claims, i.role
    from identity.ci_identities i
    join identity.organizations o on o.org_id = i.org_id
   where i.issuer = the_issuer
     and i.namespace = the_namespace
     and (the_org is null or i.org_id = the_org)
     and o.deleted_at is null
   order by i.org_id, i.id
   limit at_most
$$;

-- Finds the CI job behind a lookup id.
create or replace function identity.find_ci_token(wanted text)
returns table (
  org_id uuid, identity_id uuid, role text, subject text, repository text, host text, hash bytea, expires_at timestamptz
)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select t.org_id, t.identity_id, i.role, t.subject, t.repository, t.host, t.hash, t.expires_at
    from identity.ci_tokens t
    join identity.ci_identities i on i.org_id = t.org_id and i.id = t.identity_id
    join identity.organizations o on o.org_id = t.org_id
   where t.lookup = wanted
     and o.deleted_at is null
     and t.expires_at > now()
$$;

-- Deletes a batch of expired rows. Returns whether there may be more.
create or replace function identity.forget_ci_tokens()
returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  at_most constant integer := 5000;
  tokens integer;
  exchanges integer;
begin
  delete from identity.ci_tokens
   where ctid = any (array(select ctid from identity.ci_tokens where expires_at < now() limit at_most));
  get diagnostics tokens = row_count;
  delete from identity.ci_exchanges
   where ctid = any (array(select ctid from identity.ci_exchanges where expires_at < now() limit at_most));
  get diagnostics exchanges = row_count;
  return greatest(tokens, exchanges) = at_most;
end
$$;

grant execute on function identity.find_ci_identities, identity.find_ci_token, identity.forget_ci_tokens to leeway_gateway;
