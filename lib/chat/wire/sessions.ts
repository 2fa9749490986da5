import type { SessionInfo } from "grove-session";
import { z } from "zod";
import { type AssistantRef, assistantRef } from "./assistants";
import type { ErrorWire } from "./events";
import {
  type ChatParameters,
  chatParameters,
  idSchema,
  memoryModeSchema,
  modelSchema,
} from "./request-fields";
import { isTemporaryId } from "./temporary-id";
import type { Wire } from "./wire";

export type MemoryMode = "on" | "ask" | "off";

type SessionFields =
  | "id"
  | "model"
  | "tags"
  | "messageCount"
  | "parentSessionId"
  | "forkedAtMessageId"
  | "inputTokens"
  | "outputTokens"
  | "cost"
  | "createdAt"
  | "updatedAt";

/** Cost is that of calls with a known price. */
export interface SessionWire extends Wire<Pick<SessionInfo, SessionFields>> {
  title: string;
  pinned: boolean;
  archived: boolean;
  memoryMode: MemoryMode;
  parameters: ChatParameters;
  assistant: AssistantRef | null;
  writing: boolean;
  waiting: boolean;
  unread: boolean;
  program: string | null;
  programId: string | null;
  /** The folder that the program named, in its own words. */
  folder: string | null;
}

export interface SessionPageWire {
  sessions: SessionWire[];
  nextCursor: string | null;
}

/** Archived sessions count; most used first. */
export interface TagsWire {
  tags: { tag: string; count: number }[];
}

export interface SessionDetailWire {
  session: SessionWire;
  parent: { id: string; title: string } | null;
  forks: { id: string; title: string }[];
  activeLeafId: string | null;
}

const keptIdSchema = idSchema.refine(
  (id) => !isTemporaryId(id),
  "must not begin like the id of a temporary chat",
);

export const createSessionRequest = z.object({
  id: keptIdSchema.optional(),
  title: z.string().max(200).default(""),
  model: modelSchema.optional(),
});

const tagsSchema = z.array(z.string().trim().min(1).max(50)).max(20);

export const changeSessionRequest = z.object({
  title: z.string().trim().min(1, "must not be empty").max(200).optional(),
  model: modelSchema.nullable().optional(),
  tags: tagsSchema.optional(),
  pinned: z.boolean().optional(),
  archived: z.boolean().optional(),
  memoryMode: memoryModeSchema.optional(),
  parameters: chatParameters.optional(),
  assistant: assistantRef.nullable().optional(),
  activeLeafId: idSchema.optional(),
});

/** Changes of one chat each: its archive, its tags, or that it is deleted, restored or moved. */
export const changeSessionsRequest = z.object({
  changes: z
    .array(
      z.union([
        z.strictObject({ id: keptIdSchema, archived: z.boolean() }),
        z.strictObject({ id: keptIdSchema, tags: tagsSchema }),
        z.strictObject({ id: keptIdSchema, deletionId: idSchema }),
        z.strictObject({ id: keptIdSchema, isRestored: z.literal(true) }),
        z.strictObject({ id: keptIdSchema, space: idSchema.nullable() }),
      ]),
    )
    .min(1)
    .max(100),
});
export type OneChange = z.output<typeof changeSessionsRequest>["changes"][number];

/** In the order of the request. A chat that failed leaves the others changed. */
export interface ChangedSessionsWire {
  readonly results: readonly ({ readonly session: SessionWire | null } | ErrorWire)[];
}

export const presenceRequest = z.object({ isOpen: z.boolean() });

/** `null`: to the person's own chats. */
export const moveRequest = z.object({ space: idSchema.nullable() });

export const forkRequest = z.object({
  id: keptIdSchema.optional(),
  messageId: idSchema,
  title: z.string().trim().max(200).optional(),
  withSideBranches: z.boolean().default(false),
});
