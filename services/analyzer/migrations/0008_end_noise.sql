-- Since when a project's plans are without it; null while they have it.
alter table analyzer.noise_projects add column gone_at timestamptz;
create index noise_projects_open on analyzer.noise_projects (org_id, project) where gone_at is null;

-- That noise is fixed follows from its projects.
update analyzer.noise set status = 'active' where status = 'fixed';
alter table analyzer.noise drop constraint noise_status_check;
alter table analyzer.noise add constraint noise_status_check check (status in ('active', 'muted'));
