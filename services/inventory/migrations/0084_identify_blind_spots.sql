-- It has no key by which a cluster that moves its rows to another worker could repeat changes.
alter table inventory.blind_spots replica identity full;
