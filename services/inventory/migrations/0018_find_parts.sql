-- What is declared by itself and live inside another resource, as a rule is inside its security group: keys of that one.
alter table inventory.declared_attributes add column whole_keys text[] not null default '{}';

create index declared_attributes_parts on inventory.declared_attributes (org_id) where whole_keys <> '{}';

-- States that are known have to be read once more for it; a push of the same does it.
update inventory.iac_sources set content_hash = null;
