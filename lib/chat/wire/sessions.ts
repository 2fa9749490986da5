import { z } from "zod";
import {
  idSchema,
  type ModelParameters,
  memoryModeSchema,
  modelParameters,
  modelSchema,
} from "./request-fields";
import { isTemporaryId } from "./temporary-id";

/** Freely, with the person's consent, or not at all. */
export type MemoryMode = "on" | "ask" | "off";

export interface SessionWire {
  id: string;
  title: string;
  model: string | null;
  tags: string[];
  pinned: boolean;
  archived: boolean;
  messageCount: number;
  parentSessionId: string | null;
  forkedAtMessageId: string | null;
  /** Include answers, summaries, notes and title; cost in dollars, of calls with a known price. */
  inputTokens: number;
  outputTokens: number;
  cost: number;
  memoryMode: MemoryMode;
  parameters: ModelParameters;
  writing: boolean;
  /** An answer waits for the person's approval. */
  waiting: boolean;
  /** An answer ended that no browser has shown. */
  unread: boolean;
  /** Name of the program's key that began it. */
  program: string | null;
  createdAt: string;
  updatedAt: string;
}

/** `GET /api/sessions?archived=1&tag=&cursor=&limit=` */
export interface SessionPageWire {
  sessions: SessionWire[];
  nextCursor: string | null;
}

/** `GET /api/tags`, archived sessions included; most used first. */
export interface TagsWire {
  tags: { tag: string; count: number }[];
}

/** `GET /api/sessions/:id` */
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

/** `POST /api/sessions` → 201 `SessionWire`. */
export const createSessionRequest = z.object({
  id: keptIdSchema.optional(),
  title: z.string().max(200).default(""),
  model: modelSchema.optional(),
});

/** `PATCH /api/sessions/:id` → `SessionWire`. */
export const changeSessionRequest = z.object({
  title: z.string().trim().min(1, "must not be empty").max(200).optional(),
  model: modelSchema.nullable().optional(),
  tags: z.array(z.string().trim().min(1).max(50)).max(20).optional(),
  pinned: z.boolean().optional(),
  archived: z.boolean().optional(),
  memoryMode: memoryModeSchema.optional(),
  /** Replaces all of them. */
  parameters: modelParameters.optional(),
  activeLeafId: idSchema.optional(),
});

/** `PUT /api/sessions/:id/presence`, of a temporary chat: whether a tab shows it. */
export const presenceRequest = z.object({ isOpen: z.boolean() });

/** `POST /api/sessions/:id/fork` → 201 `SessionWire`. */
export const forkRequest = z.object({
  id: keptIdSchema.optional(),
  messageId: idSchema,
  title: z.string().trim().max(200).optional(),
  withSideBranches: z.boolean().default(false),
});
