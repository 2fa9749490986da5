import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { InvalidArgumentError } from "../session";
import { chatSession } from "./schema";

const cursorSchema = z.object({
  pinned: z.boolean(),
  /** Microseconds since 1970, for an exact order. */
  updated: z.string().regex(/^\d{1,18}$/),
  session: z.string(),
});

export const isPinned = sql<boolean>`${chatSession.pinnedAt} is not null`;

export function cursorAt(last: {
  pinnedAt: Date | null;
  updatedMicroseconds: string;
  id: string;
}): string {
  const cursor: z.infer<typeof cursorSchema> = {
    pinned: last.pinnedAt !== null,
    updated: last.updatedMicroseconds,
    session: last.id,
  };
  return Buffer.from(JSON.stringify(cursor)).toString("base64url");
}

export function isAfter(cursor: string): SQL {
  const { pinned, updated, session } = parseCursor(cursor);
  return sql`(${isPinned}, ${chatSession.updatedAt}, ${chatSession.sessionId}) < (
    ${pinned}, 'epoch'::timestamptz + ${updated}::bigint * interval '1 microsecond', ${session}
  )`;
}

function parseCursor(cursor: string): z.infer<typeof cursorSchema> {
  try {
    return cursorSchema.parse(JSON.parse(Buffer.from(cursor, "base64url").toString()));
  } catch (cause) {
    throw new InvalidArgumentError("The cursor is not one that an earlier page returned.", {
      cause,
    });
  }
}
