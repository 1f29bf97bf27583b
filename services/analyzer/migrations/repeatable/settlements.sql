-- Leases branches whose merge or pull request is due to be compared with the decisions again.
create or replace function analyzer.due_settlement_branches(pause interval, at_most integer)
returns table (org_id uuid, source_id uuid, repository jsonb)
language sql security definer set search_path = pg_catalog, pg_temp
as $$
  update analyzer.settlement_branches b
     set checked_at = now()
    from (
      select w.org_id, w.source_id
        from analyzer.settlement_branches w
       where w.checked_at < now() - pause
       order by w.checked_at
       limit at_most
         for update skip locked
    ) due
   where b.org_id = due.org_id
     and b.source_id = due.source_id
  returning b.org_id, b.source_id, b.repository
$$;

grant execute on function analyzer.due_settlement_branches to leeway_analyzer;
