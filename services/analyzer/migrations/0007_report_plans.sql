-- What a plan says of the state that it was made of is told to the inventory once the plan is analysed.
alter table analyzer.jobs
  drop constraint jobs_kind_check,
  add constraint jobs_kind_check
    check (kind in ('analyze', 'plan_noise_fix', 'drift_narrative', 'merge_request', 'comment', 'plan_report'));
