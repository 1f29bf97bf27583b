-- What an enricher has fetched, with what a listing shows of it since: JSON objects as text, of which the second may be
-- a part. What jsonb can't hold is left as the listing shows it.
create function inventory.overlaid(whole text, part text)
  returns text
  language sql
  immutable
  as $$
    select case
      when part is null then whole
      when whole is null or position('\u0000' in whole || part) > 0 then part
      else (whole::jsonb || part::jsonb)::text
    end
  $$;

-- JSON arrays of texts as text, and all that is in either.
create function inventory.united(a text, b text)
  returns text
  language sql
  immutable
  as $$
    select case
      when a is null or b is null or position('\u0000' in a || b) > 0 then coalesce(b, a)
      else (select coalesce(jsonb_agg(distinct pointer), '[]')::text from jsonb_array_elements(a::jsonb || b::jsonb) pointer)
    end
  $$;
