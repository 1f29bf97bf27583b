-- What a plan's analysis came to, for lists: its result is large.
alter table analyzer.jobs
  add column risk_level text check (risk_level in ('critical', 'high', 'medium', 'low', 'none')),
  add column gate_passed boolean;
