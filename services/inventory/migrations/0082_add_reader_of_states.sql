-- Hash of the state's text and of the code that read it. Other code may store more, so it reads the same state again.
alter table inventory.iac_sources add column read_by bigint;
