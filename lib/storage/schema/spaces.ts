import { sql } from "drizzle-orm";
import { boolean, check, index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type { PersonId, SpaceId } from "@/lib/chat/core/person-in-space";
import { anyObject, createdAt, jsonColumn, moment, ownerId } from "@/lib/postgres/storage";

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
    defaultModel: text("default_model"),
    /** The key of an assistant of the space. */
    defaultAssistant: text("default_assistant"),
    /** The name of a drawn one, or one emoji. */
    icon: text("icon"),
    createdAt: createdAt(),
    /** Refused from then on; its rows go 30 days later. */
    deletedAt: moment("deleted_at"),
    restoredAt: moment("restored_at"),
  },
  () => [check("account_space_id", sql`space_id ~ '^p-[0-9a-f-]{36}$'`)],
);

export const accountMember = pgTable(
  "account_member",
  {
    personId: personId(),
    spaceId: spaceId().references(() => accountSpace.spaceId, { onDelete: "cascade" }),
    role: text("role", { enum: ["owner", "writer", "reader"] }).notNull(),
    /** `null`: on while the person is alone here. */
    personalMemory: boolean("personal_memory"),
    since: moment("since").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.personId, table.spaceId] }),
    index("account_member_of_space").on(table.spaceId),
    check("account_member_role", sql`role in ('owner', 'writer', 'reader')`),
  ],
);

/** Links by which people become members. Each works several times, until it ends or is deleted. */
export const accountInvitation = pgTable(
  "account_invitation",
  {
    invitationId: text("invitation_id").primaryKey(),
    spaceId: spaceId().references(() => accountSpace.spaceId, { onDelete: "cascade" }),
    tokenHash: text("token_hash").notNull().unique(),
    role: text("role", { enum: ["writer", "reader"] }).notNull(),
    madeBy: text("made_by").notNull().$type<PersonId>(),
    createdAt: createdAt(),
    endsAt: moment("ends_at").notNull().default(sql`now() + interval '7 days'`),
  },
  (table) => [
    index("account_invitation_of_space").on(table.spaceId),
    check("account_invitation_role", sql`role in ('writer', 'reader')`),
  ],
);

/** A chat's newest part is in force. */
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
