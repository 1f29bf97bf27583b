-- A comment that the code host refuses for the moment is posted by a job of its own: the analysis doesn't wait for it.
alter table analyzer.jobs
  drop constraint jobs_kind_check,
  add constraint jobs_kind_check
    check (kind in (
      'analyze', 'plan_noise_fix', 'drift_narrative', 'merge_request', 'comment', 'plan_report', 'plan_comment'
    ));
-- Jobs that are left alone for a while have it in the future.
comment on column analyzer.jobs.offered_at is 'When the sweep last gave it to the bus, or until when it is left alone';
