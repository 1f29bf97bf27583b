insert into quota.plans (plan, weekly_cap, hourly_cap)
values ('free', 5, -1),
       ('team', -1, 20),
       ('enterprise', -1, -1)
on conflict (plan) do update set weekly_cap = excluded.weekly_cap, hourly_cap = excluded.hourly_cap;
