-- Counts organizations' model keys that are paused because they failed, by provider.
create or replace function quota.open_breakers()
returns table (provider text, open integer)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select provider, (count(*) filter (where retry_at > now()))::int
    from quota.llm_configs
   group by provider
$$;

grant execute on function quota.open_breakers to leeway_quota;
