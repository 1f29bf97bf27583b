-- Addresses are compared as in all languages, whatever the database's own: in Turkish `I` isn't the capital of `i`, and in
-- most the Kelvin sign's small letter is `k`.
drop index identity.members_email;
drop index identity.members_invited;
-- Only a Turkish database can have two that are one from now on.
delete from identity.members m
 using identity.members other
 where other.org_id = m.org_id
   and lower(other.email collate "C") = lower(m.email collate "C")
   and m.person_id is null
   and (other.person_id is not null or other.id < m.id);
update identity.members m
   set email = null
  from identity.members other
 where other.org_id = m.org_id
   and lower(other.email collate "C") = lower(m.email collate "C")
   and other.id < m.id;
create unique index members_email on identity.members (org_id, lower(email collate "C"));
create index members_invited on identity.members (lower(email collate "C")) where person_id is null;

-- As before, and the audit log is told the address that the organization knows the person by.
create or replace function identity.sign_in(
  new_id uuid, the_issuer text, the_subject text, the_email text, email_verified boolean, the_name text,
  the_request text
)
returns table (id uuid, roles jsonb)
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  person uuid;
begin
  select p.id into person
    from identity.people p
   where p.issuer = the_issuer
     and p.subject = the_subject
     and p.last_seen_at > now() - interval '1 minute'
     and p.email is not distinct from the_email
     and p.name is not distinct from the_name;
  if person is null then
    insert into identity.people as p (id, issuer, subject, email, name)
    values (new_id, the_issuer, the_subject, the_email, the_name)
    on conflict (issuer, subject) do update
       set email = excluded.email, name = excluded.name, last_seen_at = now()
    returning p.id into person;
  end if;

  if email_verified then
    with ended as (
      delete from identity.members m
       using identity.members own
       where lower(m.email collate "C") = lower(the_email collate "C")
         and m.person_id is null
         and own.org_id = m.org_id
         and own.person_id = person
      returning m.org_id, m.id, m.email, m.role, own.email as own_email
    )
    insert into identity.audit_log (org_id, id, actor, action, target_id, details, outcome, request_id)
    select e.org_id, identity.new_id(),
           jsonb_strip_nulls(jsonb_build_object('type', 'person', 'id', person, 'name', e.own_email)),
           'member.delete', e.id, jsonb_build_object('email', e.email, 'role', e.role), 'done', the_request
      from ended e;

    with joined as (
      update identity.members m
         set person_id = person, joined_at = now()
       where lower(m.email collate "C") = lower(the_email collate "C")
         and m.person_id is null
      returning m.org_id, m.id, m.email, m.role
    )
    insert into identity.audit_log (org_id, id, actor, action, target_id, details, outcome, request_id)
    select j.org_id, identity.new_id(), jsonb_build_object('type', 'person', 'id', person, 'name', j.email),
           'member.join', j.id, jsonb_build_object('email', j.email, 'role', j.role), 'done', the_request
      from joined j;
  end if;

  return query
    select person, coalesce(jsonb_object_agg(m.org_id, m.role), '{}')
      from identity.members m
      join identity.organizations o on o.org_id = m.org_id
     where m.person_id = person
       and o.deleted_at is null;
end
$$;
