-- How many organizations' model keys are left alone now because they failed, by provider.
create function quota.open_breakers()
returns table (provider text, open integer)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select provider, (count(*) filter (where retry_at > now()))::int
    from quota.llm_configs
   group by provider
$$;

revoke all on function quota.open_breakers from public;
grant execute on function quota.open_breakers to leeway_quota;
