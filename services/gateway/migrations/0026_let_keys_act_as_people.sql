-- `leeway login` creates such a key: it acts as the member, and is deleted with the membership.
alter table identity.api_keys
  add column person_id uuid,
  add constraint api_keys_member foreign key (org_id, person_id)
    references identity.members (org_id, person_id) on delete cascade;

create index api_keys_person on identity.api_keys (org_id, person_id) where person_id is not null;
create index api_keys_signed_in_expires on identity.api_keys (expires_at) where person_id is not null;
