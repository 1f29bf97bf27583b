-- People who are signed in to the dashboard; they belong to no organization by themselves.
create table identity.sessions (
  -- SHA-256 of what the browser holds.
  token_hash bytea primary key,
  person_id uuid not null references identity.people (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_expires on identity.sessions (expires_at);
grant select, insert, delete on identity.sessions to leeway_gateway;

-- The person behind a session, and what they may do where.
create function identity.find_session(wanted bytea)
returns table (id uuid, name text, email text, roles jsonb, expires_at timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select p.id, p.name, p.email,
         (select coalesce(jsonb_object_agg(m.org_id, m.role), '{}')
            from identity.members m
            join identity.organizations o on o.org_id = m.org_id
           where m.person_id = p.id
             and o.deleted_at is null),
         s.expires_at
    from identity.sessions s
    join identity.people p on p.id = s.person_id
   where s.token_hash = wanted
     and s.expires_at > now()
$$;

revoke all on function identity.find_session from public;
grant execute on function identity.find_session to leeway_gateway;
