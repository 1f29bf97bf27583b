-- Returns a UUID of version 7, like `uuidv7()` of PostgreSQL 18.
create or replace function identity.new_id() returns uuid
language sql volatile set search_path = pg_catalog, pg_temp
return (
  lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0')
  || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14)
)::uuid;

-- Returns the SHA-256 of an entry as canonical JSON (RFC 8785), without people's names: `id` says who it was, and a name can be
-- deleted. `canonicalEntry` in `src/audit/chain.ts` does the same.
create or replace function identity.audit_hash(entry identity.audit_log)
returns bytea
language sql stable set search_path = pg_catalog, pg_temp
as $$
  select sha256(convert_to(
    '{"action":' || to_json(entry.action)
    || ',"actor":{'
    || coalesce('"host":' || to_json(entry.actor ->> 'host') || ',', '')
    || '"id":' || to_json(entry.actor ->> 'id') || ',"type":' || to_json(entry.actor ->> 'type') || '}'
    || ',"at":"' || to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"'
    || ',"details":{' || coalesce((
         select string_agg(to_json(d.key) || ':' || d.value::text, ',' order by d.key collate "C")
           from jsonb_each(entry.details) d
       ), '') || '}'
    || ',"id":"' || entry.id || '"'
    || ',"org_id":"' || entry.org_id || '"'
    || ',"outcome":"' || entry.outcome || '"'
    || ',"previous_hash":"' || encode(entry.previous_hash, 'hex') || '"'
    || ',"request_id":' || to_json(entry.request_id)
    || ',"sequence":' || entry.sequence
    || coalesce(',"target_id":' || to_json(entry.target_id), '')
    || '}',
    'UTF8'
  ))
$$;

-- Appends an entry to its organization's chain once its outcome is known, and refuses to change a chained entry. The gateway
-- chains entries that it adds together.
create or replace function identity.chain_entry()
returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  if new.sequence is not null then
    if tg_op = 'INSERT' or new.org_id <> old.org_id then
      return new; -- row-level security refuses another organization; otherwise the hash shows it
    end if;
    if new.hash is distinct from identity.audit_hash(new) then
      raise exception 'an entry of the audit log can''t be changed';
    end if;
    return new;
  end if;
  if new.outcome = 'unknown' then
    return new;
  end if;
  insert into identity.audit_chains as c (org_id, sequence, hash)
  values (new.org_id, 1, '')
  on conflict (org_id) do update set sequence = c.sequence + 1
  returning c.sequence, c.hash into new.sequence, new.previous_hash;
  new.at := date_trunc('milliseconds', new.at);
  new.hash := identity.audit_hash(new);
  update identity.audit_chains set hash = new.hash where org_id = new.org_id;
  return new;
end
$$;

create or replace trigger chain_entry before insert or update on identity.audit_log
  for each row execute function identity.chain_entry();

-- Deletes a batch of an organization's expired entries from the beginning of its chain, and stores where it now begins.
create or replace function identity.forget_entries(the_org uuid, since timestamptz, at_most integer)
returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  stays bigint;
  gone integer;
begin
  perform from identity.audit_chains where org_id = the_org for update;
  select sequence into stays
    from identity.audit_log
   where org_id = the_org
     and sequence is not null
     and at >= since
   order by sequence
   limit 1;
  with removed as (
    delete from identity.audit_log
     where ctid = any (array(
       select ctid
         from identity.audit_log
        where org_id = the_org
          and at < since
          and (sequence is null or stays is null or sequence < stays)
        order by sequence
        limit at_most
     ))
    returning sequence, hash
  ),
  newest as (
    select sequence, hash from removed where sequence is not null order by sequence desc limit 1
  ),
  anchored as (
    update identity.audit_chains c
       set kept_sequence = n.sequence, kept_hash = n.hash
      from newest n
     where c.org_id = the_org
  )
  select count(*) into gone from removed;
  return gone;
end
$$;

grant execute on function identity.audit_hash, identity.chain_entry to leeway_gateway;
