-- What is JSON and jsonb can't hold is more than a NUL: half of a character, a number of a hundred thousand digits.
create or replace function inventory.overlaid(whole text, part text)
  returns text
  language sql
  stable
  as $$
    select case
      when part is null then whole
      when pg_input_is_valid(whole, 'jsonb') and pg_input_is_valid(part, 'jsonb') then (whole::jsonb || part::jsonb)::text
      else part
    end
  $$;

create or replace function inventory.united(a text, b text)
  returns text
  language sql
  stable
  as $$
    select case
      when pg_input_is_valid(a, 'jsonb') and pg_input_is_valid(b, 'jsonb') then
        (select coalesce(jsonb_agg(distinct pointer), '[]')::text from jsonb_array_elements(a::jsonb || b::jsonb) pointer)
      else coalesce(b, a)
    end
  $$;
