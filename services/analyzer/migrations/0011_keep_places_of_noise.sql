-- Where each project had it last: another one's plans have other addresses. Those of `analyzer.noise` stay for services
-- that are older.
alter table analyzer.noise_projects add column addresses text[] not null default '{}';
-- Of tags that others set.
alter table analyzer.noise_projects add column keys text[] not null default '{}';

-- Of what was seen before, only where it was last is known.
update analyzer.noise_projects p
   set addresses = n.addresses, keys = n.keys
  from analyzer.noise n
 where n.org_id = p.org_id
   and n.fingerprint = p.fingerprint
   and p.project = (
         select latest.project
           from analyzer.noise_projects latest
          where latest.org_id = p.org_id
            and latest.fingerprint = p.fingerprint
          order by latest.last_seen_at desc
          limit 1
       );
