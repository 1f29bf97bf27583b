import type { Statements } from "@leeway/shared/database/database";

/** Selects the values of a change by which it is filtered and grouped, from its content. */
export const valuesIn = (sql: Statements, row: ReturnType<Statements["part"]>) => sql.part`
  select content ->> 'resource_type' as resource_type, content ->> 'module_address' as module_address,
         md5(${row}.kind || ' ' || (content ->> 'resource_type') || ' ' || (content -> 'attribute_changes')::text) as cause
    from (select ${row}.content::jsonb as content) parsed
`;
