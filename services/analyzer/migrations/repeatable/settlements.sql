-- Leases branches whose merge or pull request is due to be compared with the decisions again.
create or replace function analyzer.due_settlement_branches(pause interval, at_most integer)
returns table (org_id uuid, source_id uuid, repository jsonb)
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  due record;
begin
  for due in
    select w.org_id, w.source_id, w.checked_at
      from analyzer.settlement_branches w
     where w.checked_at < now() - pause
     order by w.checked_at
     limit at_most
  loop
    return query
    update analyzer.settlement_branches b
       set checked_at = now()
     where b.org_id = due.org_id
       and b.source_id = (
         select w.source_id
           from analyzer.settlement_branches w
          where w.org_id = due.org_id
            and w.source_id = due.source_id
            and w.checked_at = due.checked_at
            for update skip locked
       )
    returning b.org_id, b.source_id, b.repository;
  end loop;
end
$$;

grant execute on function analyzer.due_settlement_branches to leeway_analyzer;
