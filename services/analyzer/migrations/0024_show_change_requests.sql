-- Undeclared resources join the request of a source, too.
alter table analyzer.settlements
  drop constraint settlements_how_check,
  add constraint settlements_how_check check (how in ('accept', 'forget', 'adopt')) not valid;

-- The request of the branch as it was last seen, and why the code host refused it, if it did.
alter table analyzer.settlement_branches
  add column number integer,
  add column url text,
  add column problem text;
