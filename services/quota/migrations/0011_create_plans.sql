-- Plans and their caps: -1 is unlimited, 0 off. `repeatable/plans.sql` has the rows.
create table quota.plans (
  plan text primary key,
  weekly_cap integer not null check (weekly_cap >= -1),
  hourly_cap integer not null check (hourly_cap >= -1)
);
grant select on quota.plans to leeway_quota;

-- Not validated, because the rows come later: the check that it replaces has validated the present plans.
alter table quota.org_plans
  drop constraint org_plans_plan_check,
  add constraint org_plans_plan foreign key (plan) references quota.plans (plan) not valid;
