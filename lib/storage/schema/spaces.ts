import { sql } from "drizzle-orm";
import { check, doublePrecision, index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type { PersonId, SpaceId } from "@/lib/chat/core/person-in-space";
import { anyObject, createdAt, moment, ownerId } from "@/lib/postgres/schema/columns";
import { jsonColumn } from "@/lib/postgres/storable";

const spaceId = () => text("space_id").notNull().$type<SpaceId>();
const personId = () => text("person_id").notNull().$type<PersonId>();

/** Projects. A personal space has no row. */
export const accountSpace = pgTable(
  "account_space",
  {
    /** `p-` and a UUID of the client's choice: no owner of an account has such an id. */
    spaceId: spaceId().primaryKey(),
    name: text("name").notNull(),
    madeBy: text("made_by").notNull().$type<PersonId>(),
    createdAt: createdAt(),
    /** Refused from then on; its rows go 30 days later. */
    deletedAt: moment("deleted_at"),
  },
  () => [check("account_space_id", sql`space_id ~ '^p-[0-9a-f-]{36}$'`)],
);

export const accountMember = pgTable(
  "account_member",
  {
    personId: personId(),
    spaceId: spaceId().references(() => accountSpace.spaceId, { onDelete: "cascade" }),
    role: text("role", { enum: ["owner", "writer", "reader"] }).notNull(),
    since: moment("since").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.personId, table.spaceId] }),
    index("account_member_of_space").on(table.spaceId),
    check("account_member_role", sql`role in ('owner', 'writer', 'reader')`),
  ],
);

/** A call in a project, in the space of the person who pays: reserved until settled, or until `until`. */
export const chatCharge = pgTable(
  "chat_charge",
  {
    ownerId: ownerId().$type<PersonId>(),
    /** The id of its usage in the project. */
    chargeId: text("charge_id").notNull(),
    spaceId: spaceId(),
    runId: text("run_id").notNull(),
    kind: text("kind", { enum: ["answer", "summary", "title", "embedding"] }).notNull(),
    keyId: text("key_id"),
    reserved: doublePrecision("reserved").notNull(),
    charge: doublePrecision("charge"),
    cost: doublePrecision("cost"),
    until: moment("until").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.chargeId] }),
    index("chat_charge_by_time").on(table.ownerId, table.createdAt),
    index("chat_charge_open").on(table.until).where(sql`charge is null and cost is null`),
  ],
);

/** The personal part of prompts of a project's chat; the newest is in force, receipts name it. */
export const chatPersonalPrompt = pgTable(
  "chat_personal_prompt",
  {
    ownerId: ownerId().$type<PersonId>(),
    partId: text("part_id").notNull(),
    spaceId: spaceId(),
    sessionId: text("session_id").notNull(),
    prompt: text("prompt").notNull(),
    versions: jsonColumn("versions", anyObject),
    madeAt: moment("made_at").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.partId] }),
    index("chat_personal_prompt_in_force").on(
      table.ownerId,
      table.spaceId,
      table.sessionId,
      table.madeAt,
    ),
  ],
);

/** Moves of chats, led by the space that a chat leaves; kept for good. */
export const chatMove = pgTable(
  "chat_move",
  {
    ownerId: ownerId().$type<SpaceId>(),
    moveId: text("move_id").notNull(),
    sessionId: text("session_id").notNull(),
    toSpace: text("to_space").notNull().$type<SpaceId>(),
    toSession: text("to_session").notNull(),
    personId: personId(),
    source: text("source"),
    state: text("state", { enum: ["copying", "moved", "given back"] }).notNull(),
    counts: jsonColumn("counts", anyObject),
    renewedAt: moment("renewed_at").notNull(),
    endedAt: moment("ended_at"),
  },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.moveId] }),
    check("chat_move_state", sql`state in ('copying', 'moved', 'given back')`),
  ],
);
