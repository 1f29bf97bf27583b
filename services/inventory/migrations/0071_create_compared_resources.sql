-- Live resources that drift has compared with their declarations.
create table inventory.compared_resources (
  org_id uuid not null,
  cloud_account_id uuid not null,
  live_resource_id uuid not null,
  -- Hash of all that was compared, and of the code that compared it, if nothing differed. The next comparison then skips it.
  equal_hash bigint,
  -- Attributes that it has shown. If later answers lack one, it was removed.
  seen text,
  primary key (org_id, cloud_account_id, live_resource_id)
);

call inventory.isolate('compared_resources');
