-- Returns the code host in a URL, as `hostOf` in `src/comments/change-url.ts` does; empty if there is none.
create or replace function analyzer.host_of(url text)
returns text
language sql immutable set search_path = pg_catalog, pg_temp
as $$
  select coalesce(regexp_replace(lower(substring(url from '^https?://([^/?#]+)')), ':(80|443)$', ''), '')
$$;

-- Copies a review that a service of an earlier version stores, unless a later plan has one.
create or replace function analyzer.host_review()
returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  insert into analyzer.hosted_reviews as r (
    org_id, host, repository, number, project, source, config_id, job_id, comment_url, commented_at, updated_at
  )
  select new.org_id,
         analyzer.host_of(coalesce(
           (
             select j.subject->'change_request'->>'url'
               from analyzer.jobs j
              where j.org_id = new.org_id
                and j.id = new.job_id
           ),
           new.comment_url
         )),
         new.repository, new.number, new.project, new.source, new.config_id, new.job_id, new.comment_url,
         new.commented_at, new.updated_at
  on conflict (org_id, repository, number, project, host) do update
     set source = excluded.source,
         config_id = excluded.config_id,
         job_id = excluded.job_id,
         comment_url = excluded.comment_url,
         commented_at = excluded.commented_at,
         updated_at = excluded.updated_at
   where r.job_id <= excluded.job_id;
  return null;
end
$$;

create or replace trigger host_review after insert or update on analyzer.reviews
  for each row execute function analyzer.host_review();

-- Deletes a batch of each: reviews, applied projects and noise that no plan has shown for `days`. Muted noise stays while it is
-- muted. Returns the largest number of rows deleted from one table.
create or replace function analyzer.forget(days integer, at_most integer)
returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  since constant timestamptz := now() - make_interval(days => days);
  reviews integer;
  hosted integer;
  applied integer;
  projects integer;
  noise integer;
begin
  delete from analyzer.reviews t
   using (
     select org_id, repository, number, project from analyzer.reviews where updated_at < since limit at_most
   ) old
   where t.org_id = old.org_id
     and t.repository = old.repository
     and t.number = old.number
     and t.project = old.project
     and updated_at < since; -- there may be a new plan meanwhile
  get diagnostics reviews = row_count;
  delete from analyzer.hosted_reviews t
   using (
     select org_id, repository, number, project, host from analyzer.hosted_reviews where updated_at < since limit at_most
   ) old
   where t.org_id = old.org_id
     and t.repository = old.repository
     and t.number = old.number
     and t.project = old.project
     and t.host = old.host
     and updated_at < since;
  get diagnostics hosted = row_count;
  delete from analyzer.applied_projects t
   using (
     select org_id, project from analyzer.applied_projects where applied_at < since limit at_most
   ) old
   where t.org_id = old.org_id
     and t.project = old.project
     and applied_at < since;
  get diagnostics applied = row_count;
  delete from analyzer.noise_projects t
   using (
     select org_id, fingerprint, project from analyzer.noise_projects where last_seen_at < since limit at_most
   ) old
   where t.org_id = old.org_id
     and t.fingerprint = old.fingerprint
     and t.project = old.project
     and last_seen_at < since;
  get diagnostics projects = row_count;
  delete from analyzer.noise t
   using (
     select org_id, fingerprint
       from analyzer.noise
      where last_seen_at < since
        and (status <> 'muted' or muted_until < now())
      limit at_most
   ) old
   where t.org_id = old.org_id
     and t.fingerprint = old.fingerprint
     and last_seen_at < since
     and (status <> 'muted' or muted_until < now());
  get diagnostics noise = row_count;
  return greatest(reviews, hosted, applied, projects, noise);
end
$$;

grant execute on function analyzer.host_of, analyzer.forget to leeway_analyzer;
