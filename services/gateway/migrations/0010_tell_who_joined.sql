-- As before, and it tells which invitations became the person's, for the audit log: `joined` is of the form of `ended`.
drop function identity.sign_in;
create function identity.sign_in(
  new_id uuid, the_issuer text, the_subject text, the_email text, email_verified boolean, the_name text
)
returns table (id uuid, roles jsonb, ended jsonb, joined jsonb)
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
    with gone as (
      delete from identity.members m
       using identity.members own
       where lower(m.email) = lower(the_email)
         and m.person_id is null
         and own.org_id = m.org_id
         and own.person_id = person
      returning m.org_id, m.id, m.email, m.role
    )
    select jsonb_agg(gone) into ended from gone;

    with taken as (
      update identity.members m
         set person_id = person, joined_at = now()
       where lower(m.email) = lower(the_email)
         and m.person_id is null
      returning m.org_id, m.id, m.email, m.role
    )
    select jsonb_agg(taken) into joined from taken;
  end if;

  return query
    select person, coalesce(jsonb_object_agg(m.org_id, m.role), '{}'), coalesce(ended, '[]'), coalesce(joined, '[]')
      from identity.members m
      join identity.organizations o on o.org_id = m.org_id
     where m.person_id = person
       and o.deleted_at is null;
end
$$;

revoke all on function identity.sign_in from public;
grant execute on function identity.sign_in to leeway_gateway;
