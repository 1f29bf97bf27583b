-- Hash of the code that read the state. Other code may store more, so it reads the same state again.
alter table inventory.iac_sources add column read_by bigint;
