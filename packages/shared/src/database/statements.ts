import type { ParameterOrFragment, Row, Sql } from "postgres";

/** A value or fragment in a statement. */
export type Value = ParameterOrFragment<never>;

/** Rows of a statement, and the number of rows that it affected. */
export type Rows<R> = R[] & { count: number };

/** Runs the tagged statement and returns its rows in order. */
export interface Statements {
  <R extends Row>(strings: TemplateStringsArray, ...values: readonly Value[]): Promise<Rows<R>>;
  /** Tags a fragment to be used inside a statement; it isn't run. */
  part: Sql;
}
