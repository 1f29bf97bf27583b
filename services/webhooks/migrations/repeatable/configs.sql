-- Lists enabled configs whose token has its last day within `days`.
create or replace function webhooks.expiring_tokens(days integer)
returns table (org_id uuid, config_id uuid, name text, provider_base_url text, expires_on date)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select c.org_id, c.id, c.name, c.provider_base_url, c.token_expires_on
    from webhooks.configs c
   where c.enabled
     and c.token_expires_on between (now() at time zone 'utc')::date and (now() at time zone 'utc')::date + days;
end
$$;

-- Deletes a batch of addresses without a valid call for `days`. Returns the number of deleted rows.
create or replace function webhooks.forget_senders(days integer, at_most integer)
returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  forgotten integer;
begin
  delete from webhooks.senders t
   using (
     select org_id, config_id, sender from webhooks.senders where last_good_at < now() - make_interval(days => days) limit at_most
   ) old
   where t.org_id = old.org_id
     and t.config_id = old.config_id
     and t.sender = old.sender
     and last_good_at < now() - make_interval(days => days); -- it may have called again meanwhile
  get diagnostics forgotten = row_count;
  return forgotten;
end
$$;

grant execute on function webhooks.expiring_tokens, webhooks.forget_senders to leeway_webhooks;
