-- Returns a person and their roles, and creates them at their first sign-in. Invitations to their verified address become
-- theirs; an invitation to another address of a member ends, because it would let them in again once removed. Entries of the
-- audit log are written in the order of organizations: two people who join the same ones take their chains in one order, and
-- don't deadlock.
create or replace function identity.sign_in(
  new_id uuid, the_issuer text, the_subject text, the_email text, email_verified boolean, the_name text,
  the_request text
)
returns table (id uuid, roles jsonb)
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  person uuid;
  -- The parameter has the column's name, and may be null.
  the_email_verified constant boolean := coalesce(sign_in.email_verified, false);
begin
  select p.id into person
    from identity.people p
   where p.issuer = the_issuer
     and p.subject = the_subject
     and p.last_seen_at > now() - interval '1 minute'
     and p.email is not distinct from the_email
     and p.email_verified = the_email_verified
     and p.name is not distinct from the_name;
  if person is null then
    insert into identity.people as p (id, issuer, subject, email, name, email_verified)
    values (new_id, the_issuer, the_subject, the_email, the_name, the_email_verified)
    on conflict (issuer, subject) do update
       set email = excluded.email, name = excluded.name, email_verified = excluded.email_verified,
           last_seen_at = now()
    returning p.id into person;
  end if;

  if the_email_verified then
    with ended as (
      delete from identity.members m
       using identity.members own
       where lower(m.email collate "C") = lower(the_email collate "C")
         and m.person_id is null
         and own.org_id = m.org_id
         and own.person_id = person
      returning m.org_id, m.id, m.email, m.role, own.email as own_email
    ),
    joined as (
      update identity.members m
         set person_id = person, joined_at = now()
       where lower(m.email collate "C") = lower(the_email collate "C")
         and m.person_id is null
         and not exists (
           select from identity.members own where own.org_id = m.org_id and own.person_id = person
         )
      returning m.org_id, m.id, m.email, m.role
    ),
    written as (
      select e.org_id, e.own_email as name, 'member.delete' as action, e.id, e.email, e.role from ended e
      union all
      select j.org_id, j.email, 'member.join', j.id, j.email, j.role from joined j
    )
    insert into identity.audit_log (org_id, id, actor, action, target_id, details, outcome, request_id)
    select w.org_id, identity.new_id(),
           jsonb_strip_nulls(jsonb_build_object('type', 'person', 'id', person, 'name', w.name)),
           w.action, w.id, jsonb_build_object('email', w.email, 'role', w.role), 'done', the_request
      from written w
     order by w.org_id;
  end if;

  return query
    select person, coalesce(jsonb_object_agg(m.org_id, m.role), '{}')
      from identity.members m
      join identity.organizations o on o.org_id = m.org_id
     where m.person_id = person
       and o.deleted_at is null;
end
$$;

-- Finds the person behind a session, and their roles.
create or replace function identity.find_session(wanted bytea)
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

grant execute on function identity.sign_in, identity.find_session to leeway_gateway;
