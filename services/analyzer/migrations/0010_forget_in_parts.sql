-- Forgets what no plan has shown for so many days, so many at a time of each kind, and gives how many it were of what it
-- were most: the latest plans of merge requests, applies, and noise but for what is muted.
create function analyzer.forget(days integer, at_most integer)
returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  since constant timestamptz := now() - make_interval(days => days);
  reviews integer;
  applied integer;
  projects integer;
  noise integer;
begin
  delete from analyzer.reviews
   where ctid = any (array(select ctid from analyzer.reviews where updated_at < since limit at_most))
     and updated_at < since; -- there may be a new plan meanwhile
  get diagnostics reviews = row_count;
  delete from analyzer.applied_projects
   where ctid = any (array(select ctid from analyzer.applied_projects where applied_at < since limit at_most))
     and applied_at < since;
  get diagnostics applied = row_count;
  delete from analyzer.noise_projects
   where ctid = any (array(select ctid from analyzer.noise_projects where last_seen_at < since limit at_most))
     and last_seen_at < since;
  get diagnostics projects = row_count;
  delete from analyzer.noise
   where ctid = any (array(
           select ctid
             from analyzer.noise
            where last_seen_at < since
              and (status <> 'muted' or muted_until < now())
            limit at_most
         ))
     and last_seen_at < since
     and (status <> 'muted' or muted_until < now());
  get diagnostics noise = row_count;
  return greatest(reviews, applied, projects, noise);
end
$$;

revoke all on function analyzer.forget from public;
grant execute on function analyzer.forget to leeway_analyzer;
