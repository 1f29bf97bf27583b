import { afterAll, beforeAll } from "bun:test";

import { testDatabase, testSchema, type TestDatabase } from "../testing/testing.ts";
import { openDatabase, type Database } from "./database.ts";

/** An organization's id. */
export const A = crypto.randomUUID();
export const CONNECTIONS = { short: 2, transactions: 4, bulk: 2, background: 2 };

/** Value of a statement's parameter. */
export type Value = Parameters<Database["system"]>[1];

export const unavailable = { name: "AppError", code: "unavailable" };

/** Creates a database of notes by organization, for the tests of one file. */
export function notesDatabase() {
  let db: TestDatabase;
  let door: Database;
  beforeAll(async () => {
    const schema = await testSchema("notes", {
      "0001_create_notes.sql": `
        create table notes.notes (
          org_id uuid not null,
          id uuid not null default gen_random_uuid(),
          body text,
          primary key (org_id, id)
        );
        create unique index notes_body on notes.notes (org_id, body);
        create table notes.lines (
          org_id uuid not null,
          note_id uuid not null,
          foreign key (org_id, note_id) references notes.notes (org_id, id)
        );
        call notes.isolate('notes');
        call notes.isolate('lines');`,
    });
    db = await testDatabase([schema]);
    door = db.open("notes");
  });
  afterAll(() => db.drop());
  return {
    get db() {
      return db;
    },
    get door() {
      return door;
    },
    another(connections: Partial<typeof CONNECTIONS> = {}): Database {
      return openDatabase({
        url: db.urlOf("notes"),
        service: "notes",
        connections: { ...CONNECTIONS, ...connections },
      });
    },
  };
}
