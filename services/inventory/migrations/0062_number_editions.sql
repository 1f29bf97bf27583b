-- Each transaction that writes live resources beside those that they replace has a number of its own, so several can do
-- so at a time. The numbers descend from -1: an older service, which counts up from the edition it replaces, never uses
-- a later one.
create sequence inventory.editions as integer increment by -1;

grant usage on sequence inventory.editions to leeway_inventory;
