-- The code host of an address, as `hostOf` in `src/comments/change-url.ts` gives it; empty where there is none.
create function analyzer.host_of(url text)
returns text
language sql immutable set search_path = pg_catalog, pg_temp
as $$
  select coalesce(regexp_replace(lower(substring(url from '^https?://([^/?#]+)')), ':(80|443)$', ''), '')
$$;

-- The latest analysis of each project of a merge or pull request, and the comment that tells it: requests of two hosts may
-- have the same path and number. `analyzer.reviews` stays for services that are older.
create table analyzer.hosted_reviews (
  org_id uuid not null,
  -- Empty where no plan has told it.
  host text not null,
  repository text not null,
  number integer not null,
  project text not null,
  -- Where comments go: which kind of code host, and by whose token.
  source text not null check (source in ('planner', 'vcs')),
  config_id uuid,
  job_id uuid not null,
  comment_url text,
  commented_at timestamptz,
  updated_at timestamptz not null default now(),
  primary key (org_id, repository, number, project, host)
);

call analyzer.isolate('hosted_reviews');

-- What an older service notes is noted here too, unless a later plan is.
create function analyzer.host_review()
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

revoke all on function analyzer.host_of, analyzer.host_review from public;
grant execute on function analyzer.host_of to leeway_analyzer;

create trigger host_review after insert or update on analyzer.reviews
  for each row execute function analyzer.host_review();

insert into analyzer.hosted_reviews (
  org_id, host, repository, number, project, source, config_id, job_id, comment_url, commented_at, updated_at
)
select r.org_id, analyzer.host_of(coalesce(j.subject->'change_request'->>'url', r.comment_url)), r.repository, r.number,
       r.project, r.source, r.config_id, r.job_id, r.comment_url, r.commented_at, r.updated_at
  from analyzer.reviews r
  left join analyzer.jobs j on j.org_id = r.org_id and j.id = r.job_id;

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
  delete from analyzer.reviews
   where ctid = any (array(select ctid from analyzer.reviews where updated_at < since limit at_most))
     and updated_at < since; -- there may be a new plan meanwhile
  get diagnostics reviews = row_count;
  delete from analyzer.hosted_reviews
   where ctid = any (array(select ctid from analyzer.hosted_reviews where updated_at < since limit at_most))
     and updated_at < since;
  get diagnostics hosted = row_count;
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
  return greatest(reviews, hosted, applied, projects, noise);
end
$$;
