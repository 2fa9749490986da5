import { z } from "zod";
import type { AboutWire } from "@/lib/chat/wire/about";
import type { AssistantsWire } from "@/lib/chat/wire/assistants";
import type { BackupsWire } from "@/lib/chat/wire/backups";
import {
  type CompareWire,
  draftNoteRequest,
  type NoteDraftWire,
  type NoteSourceWire,
  storeNoteRequest,
  type TreeWire,
} from "@/lib/chat/wire/branches";
import {
  type CompactionPreviewWire,
  changeCompactionRequest,
  compactRequest,
  type SummaryRunWire,
} from "@/lib/chat/wire/compaction";
import type { ContextWire, ReceiptWire, UseWire } from "@/lib/chat/wire/context";
import {
  type DataCountsWire,
  type DeletedDataWire,
  deleteDataRequest,
  type ImportReportWire,
  type StopDeletingWire,
  type UndoneImportWire,
  undoImportRequest,
} from "@/lib/chat/wire/data";
import type { DeletedMessagesWire, DeletedPageWire, DeletionWire } from "@/lib/chat/wire/deletions";
import type { FilePagesWire, FileWire, NamedFileWire, StorageWire } from "@/lib/chat/wire/files";
import {
  changeKeyRequest,
  createKeyRequest,
  type KeysWire,
  type KeyWire,
  type NewKeyWire,
  type ProgramsWire,
} from "@/lib/chat/wire/keys";
import {
  acceptProposalRequest,
  addEntryRequest,
  type BlockWire,
  changeBlockRequest,
  createBlockRequest,
  type EntryDocumentWire,
  type ProposalWire,
  proposeRequest,
  skillEventRequest,
  type VersionWire,
  writeBlockRequest,
  writeEntryRequest,
} from "@/lib/chat/wire/memory";
import {
  changeMessageRequest,
  decideRequest,
  deleteMessagesRequest,
  type EntryWire,
  editAnswerRequest,
  followedRuns,
  type MessageVersionWire,
  type RunWire,
  restoreMessagesRequest,
  type SendResponse,
  sendRequest,
  startRunRequest,
  type TranscriptWire,
} from "@/lib/chat/wire/messages";
import {
  changeProjectRequest,
  makeProjectRequest,
  type ProjectsWire,
  type ProjectWire,
} from "@/lib/chat/wire/projects";
import { type PromptsWire, writePromptRequest } from "@/lib/chat/wire/prompts";
import { answerQuestionRequest } from "@/lib/chat/wire/questions";
import { idSchema } from "@/lib/chat/wire/request-fields";
import type { ElsewhereWire, SearchWire } from "@/lib/chat/wire/search";
import {
  type ChangedSessionsWire,
  changeSessionRequest,
  changeSessionsRequest,
  createSessionRequest,
  forkRequest,
  moveRequest,
  presenceRequest,
  type SessionDetailWire,
  type SessionPageWire,
  type SessionWire,
  type TagsWire,
} from "@/lib/chat/wire/sessions";
import {
  changeSettingsRequest,
  type ModelsWire,
  type OllamaWire,
  pullRequest,
  type SettingsWire,
  writeProviderRequest,
} from "@/lib/chat/wire/settings";
import {
  type CopiedShareWire,
  changeShareRequest,
  copyShareRequest,
  type HouseSharesWire,
  makeShareRequest,
  type SharesWire,
  type ShareWire,
} from "@/lib/chat/wire/shares";
import {
  changeToolsRequest,
  type SignInWire,
  type ToolsWire,
  writeServerRequest,
} from "@/lib/chat/wire/tools";
import type { UsageWire } from "@/lib/chat/wire/usage";
import { accountRoutes } from "./account-routes";
import {
  count,
  endpoint,
  flag,
  jsonOf,
  number,
  type Ok,
  required,
  text,
  version,
} from "./route-shape";

const inSession = z.object({ session: text });
const byDeletion = z.object({ deletionId: text.pipe(idSchema.optional()) });
const mostDays = 3_660;

export const routes = {
  "GET /api/health": endpoint<Ok>()(),
  "GET /api/events": endpoint<Response>()(),
  "GET /api/models": endpoint<ModelsWire>()(),
  "GET /api/ollama": endpoint<OllamaWire>()(),
  "POST /api/ollama/pull": endpoint<Response>()({ body: pullRequest, repeats: true }),
  "GET /api/tags": endpoint<TagsWire>()(),
  "POST /api/example": endpoint<SessionWire>()({ status: 201 }),

  "GET /api/about": endpoint<AboutWire>()(),
  ...accountRoutes,

  "GET /api/people/shares": endpoint<HouseSharesWire>()(),
  "DELETE /api/people/shares/:shareId": endpoint<HouseSharesWire>()(),

  "GET /api/projects": endpoint<ProjectsWire>()({ query: z.object({ deleted: flag }) }),
  "POST /api/projects": endpoint<ProjectWire>()({
    body: makeProjectRequest,
    status: 201,
    repeats: true,
  }),
  "GET /api/projects/:spaceId": endpoint<ProjectWire>()(),
  "PATCH /api/projects/:spaceId": endpoint<ProjectWire>()({ body: changeProjectRequest }),
  "DELETE /api/projects/:spaceId": endpoint<ProjectWire>()(),
  "POST /api/projects/:spaceId/restore": endpoint<ProjectWire>()({ repeats: true }),

  "GET /api/settings": endpoint<SettingsWire>()(),
  "PATCH /api/settings": endpoint<SettingsWire>()({ body: changeSettingsRequest }),
  "PUT /api/settings/providers/:providerId": endpoint<SettingsWire>()({
    body: writeProviderRequest,
  }),
  "DELETE /api/settings/providers/:providerId": endpoint<SettingsWire>()(),

  "GET /api/tools": endpoint<ToolsWire>()(),
  "PATCH /api/tools": endpoint<ToolsWire>()({ body: changeToolsRequest }),
  "PUT /api/tools/servers/:serverId": endpoint<ToolsWire>()({ body: writeServerRequest }),
  "DELETE /api/tools/servers/:serverId": endpoint<ToolsWire>()(),
  "POST /api/tools/servers/:serverId/read": endpoint<ToolsWire>()({ repeats: true }),
  "POST /api/tools/servers/:serverId/sign-in": endpoint<SignInWire>()({ repeats: true }),

  "GET /api/usage": endpoint<UsageWire>()({
    query: z.object({
      days: number.pipe(z.int("must be a whole number").min(1).max(mostDays).optional()),
      tz: text,
    }),
  }),
  "GET /api/search": endpoint<SearchWire>()({
    query: z.object({ q: text, session: text, limit: count(1, 100, 20) }),
  }),
  "GET /api/search/elsewhere": endpoint<ElsewhereWire>()({ query: z.object({ q: text }) }),
  "GET /api/data": endpoint<DataCountsWire>()(),
  "DELETE /api/data": endpoint<DeletedDataWire>()({ body: deleteDataRequest }),
  "POST /api/data/stop": endpoint<StopDeletingWire>()({ repeats: true }),
  "GET /api/backups": endpoint<BackupsWire>()(),
  "POST /api/backups": endpoint<BackupsWire>()({ status: 202 }),
  "GET /api/export": endpoint<Response>()(),
  "POST /api/import": endpoint<ImportReportWire>()({
    repeats: true,
    query: z.object({ choices: z.literal("first").optional() }),
  }),
  "POST /api/import/undo": endpoint<UndoneImportWire>()({ body: undoImportRequest, repeats: true }),

  "GET /api/files": endpoint<StorageWire>()(),
  "POST /api/files": endpoint<FileWire>()({
    query: z.object({ name: text }),
    status: 201,
    repeats: true,
  }),
  "GET /api/files/:sha256": endpoint<Response>()({ query: z.object({ name: text }) }),
  "GET /api/files/facts": endpoint<{ files: NamedFileWire[] }>()({
    query: z.object({ of: text }),
  }),
  "GET /api/files/:sha256/facts": endpoint<FileWire>()(),
  "GET /api/files/:sha256/pages": endpoint<FilePagesWire>()({
    query: z.object({ from: count(1, 1_000_000, 1), limit: count(1, 200, 50) }),
  }),

  "GET /api/sessions": endpoint<SessionPageWire>()({
    query: z.object({
      archived: flag,
      tag: text,
      program: text,
      own: flag,
      cursor: text,
      limit: number,
    }),
  }),
  "GET /api/programs": endpoint<ProgramsWire>()(),
  "POST /api/sessions": endpoint<SessionWire>()({ body: createSessionRequest, status: 201 }),
  "PATCH /api/sessions": endpoint<ChangedSessionsWire>()({ body: changeSessionsRequest }),
  "GET /api/sessions/:sessionId": endpoint<SessionDetailWire>()(),
  "PATCH /api/sessions/:sessionId": endpoint<SessionWire>()({ body: changeSessionRequest }),
  "DELETE /api/sessions/:sessionId": endpoint<DeletionWire>()({ query: byDeletion }),
  "POST /api/sessions/:sessionId/restore": endpoint<SessionWire>()({ repeats: true }),
  "POST /api/sessions/:sessionId/read": endpoint<Ok>()({ repeats: true }),
  "POST /api/sessions/:sessionId/fork": endpoint<SessionWire>()({ body: forkRequest, status: 201 }),
  "POST /api/sessions/:sessionId/move": endpoint<SessionWire>()({
    body: moveRequest,
    repeats: true,
  }),
  "POST /api/sessions/:sessionId/keep": endpoint<SessionWire>()({ status: 201, repeats: true }),
  "GET /api/sessions/:sessionId/export": endpoint<Response>()({
    query: z.object({
      as: z.enum(["json", "markdown", "page", "share"]).default("json"),
      leaf: text,
      branches: flag,
      reasoning: flag,
      tools: flag,
      files: flag,
      title: flag,
    }),
  }),

  "GET /api/shares": endpoint<SharesWire>()(),
  "POST /api/sessions/:sessionId/shares": endpoint<ShareWire>()({
    body: makeShareRequest,
    status: 201,
  }),
  "POST /api/shares/copies": endpoint<CopiedShareWire>()({
    body: copyShareRequest,
    status: 201,
    repeats: true,
  }),
  "PATCH /api/shares/:shareId": endpoint<ShareWire>()({ body: changeShareRequest }),
  "DELETE /api/shares/:shareId": endpoint<Ok>()(),

  "GET /api/sessions/:sessionId/transcript": endpoint<TranscriptWire>()({
    query: z.object({
      leaf: text,
      under: text,
      limit: count(1, 500, 50),
      before: number,
      after: number,
      oldest: flag,
      overlays: flag,
    }),
  }),
  "PUT /api/sessions/:sessionId/presence": endpoint<Ok>()({ body: presenceRequest }),
  "GET /api/sessions/:sessionId/tree": endpoint<TreeWire>()(),
  "GET /api/sessions/:sessionId/compare": endpoint<CompareWire>()({
    query: z.object({ left: required, right: required, limit: number }),
  }),
  "POST /api/sessions/:sessionId/messages": endpoint<SendResponse>()({
    body: sendRequest,
    status: 201,
    repeats: true,
  }),
  "DELETE /api/sessions/:sessionId/messages": endpoint<DeletedMessagesWire>()({
    body: deleteMessagesRequest,
  }),
  "POST /api/sessions/:sessionId/messages/:messageId/approvals/:approvalId": endpoint<EntryWire>()({
    body: decideRequest,
  }),
  "POST /api/sessions/:sessionId/messages/restore": endpoint<Ok>()({
    body: restoreMessagesRequest,
  }),
  "PATCH /api/sessions/:sessionId/messages/:messageId": endpoint<EntryWire>()({
    body: changeMessageRequest,
  }),
  "POST /api/sessions/:sessionId/messages/:messageId/edited": endpoint<EntryWire>()({
    body: editAnswerRequest,
    status: 201,
    repeats: true,
  }),
  "GET /api/sessions/:sessionId/messages/:messageId/receipt": endpoint<ReceiptWire>()(),
  "GET /api/sessions/:sessionId/messages/:messageId/versions": endpoint<{
    versions: MessageVersionWire[];
  }>()(),
  "GET /api/sessions/:sessionId/messages/:messageId/uses": endpoint<{ uses: UseWire[] }>()(),

  "POST /api/sessions/:sessionId/runs": endpoint<{ run: RunWire }>()({
    body: startRunRequest,
    status: 201,
    repeats: true,
  }),
  "DELETE /api/sessions/:sessionId/runs/:runId": endpoint<Ok>()(),
  "POST /api/sessions/:sessionId/runs/:runId/stop": endpoint<Ok>()({ repeats: true }),
  "POST /api/sessions/:sessionId/runs/:runId/questions/:questionId": endpoint<Ok>()({
    body: answerQuestionRequest,
  }),
  "GET /api/sessions/:sessionId/runs/:runId/stream": endpoint<Response>()({
    query: z.object({
      after: count(0, Number.MAX_SAFE_INTEGER, 0),
      part: count(0, Number.MAX_SAFE_INTEGER, 0),
    }),
  }),

  "GET /api/sessions/:sessionId/streams": endpoint<Response>()({
    query: z.object({ runs: jsonOf(followedRuns) }),
  }),

  "POST /api/sessions/:sessionId/compactions": endpoint<{ summary: SummaryRunWire }>()({
    body: compactRequest,
    status: 201,
  }),
  "GET /api/sessions/:sessionId/compactions/preview": endpoint<CompactionPreviewWire>()({
    query: z.object({ leaf: text }),
  }),
  "PATCH /api/sessions/:sessionId/compactions/:compactionId": endpoint<Ok>()({
    body: changeCompactionRequest,
  }),
  "DELETE /api/sessions/:sessionId/compactions/:compactionId": endpoint<Ok>()(),
  "POST /api/sessions/:sessionId/compactions/:compactionId/restore": endpoint<Ok>()(),

  "GET /api/sessions/:sessionId/context": endpoint<ContextWire>()({
    query: z.object({ leaf: text, start: flag }),
  }),
  "POST /api/sessions/:sessionId/context/refresh": endpoint<ContextWire>()({ repeats: true }),
  "POST /api/sessions/:sessionId/skills": endpoint<ContextWire>()({ body: skillEventRequest }),
  "GET /api/sessions/:sessionId/notes/source": endpoint<NoteSourceWire>()({
    query: z.object({ from: required, to: text }),
  }),
  "POST /api/sessions/:sessionId/notes/draft": endpoint<NoteDraftWire>()({
    body: draftNoteRequest,
  }),
  "POST /api/sessions/:sessionId/notes": endpoint<EntryWire>()({
    body: storeNoteRequest,
    status: 201,
    repeats: true,
  }),

  "GET /api/blocks": endpoint<{ blocks: BlockWire[] }>()({ query: inSession }),
  "POST /api/blocks": endpoint<BlockWire>()({
    query: inSession,
    body: createBlockRequest,
    status: 201,
  }),
  "PUT /api/blocks/:blockId": endpoint<BlockWire>()({ query: inSession, body: writeBlockRequest }),
  "PATCH /api/blocks/:blockId": endpoint<BlockWire>()({
    query: inSession,
    body: changeBlockRequest,
  }),
  "DELETE /api/blocks/:blockId": endpoint<DeletionWire>()({
    query: inSession.extend(byDeletion.shape),
  }),
  "POST /api/blocks/:blockId/restore": endpoint<BlockWire>()({ query: inSession }),
  "GET /api/blocks/:blockId/versions": endpoint<{ versions: VersionWire[] }>()({
    query: inSession,
  }),
  "GET /api/blocks/:blockId/entries": endpoint<{ entries: EntryDocumentWire[] }>()({
    query: inSession.extend({ q: text }),
  }),
  "POST /api/blocks/:blockId/entries": endpoint<EntryDocumentWire>()({
    query: inSession,
    body: addEntryRequest,
    status: 201,
  }),
  "GET /api/blocks/:blockId/entries/:key": endpoint<EntryDocumentWire>()({ query: inSession }),
  "PUT /api/blocks/:blockId/entries/:key": endpoint<EntryDocumentWire>()({
    query: inSession,
    body: writeEntryRequest,
  }),
  "DELETE /api/blocks/:blockId/entries/:key": endpoint<DeletionWire>()({
    query: inSession.extend({ ...byDeletion.shape, expectedVersion: version }),
  }),
  "GET /api/blocks/:blockId/entries/:key/versions": endpoint<{ versions: VersionWire[] }>()({
    query: inSession,
  }),

  "GET /api/assistants": endpoint<AssistantsWire>()(),
  "GET /api/prompts": endpoint<PromptsWire>()(),
  "PUT /api/prompts/:promptId": endpoint<PromptsWire>()({ body: writePromptRequest }),
  "DELETE /api/prompts/:promptId": endpoint<PromptsWire>()(),

  "GET /api/keys": endpoint<KeysWire>()(),
  "POST /api/keys": endpoint<NewKeyWire>()({ body: createKeyRequest, status: 201 }),
  "PATCH /api/keys/:keyId": endpoint<KeyWire>()({ body: changeKeyRequest }),
  "DELETE /api/keys/:keyId": endpoint<Ok>()(),

  "GET /api/deletions": endpoint<DeletedPageWire>()({ query: z.object({ after: text }) }),
  "POST /api/deletions/:deletionId/restore": endpoint<Ok>()({ repeats: true }),
  "DELETE /api/deletions/:deletionId": endpoint<Ok>()(),

  "GET /api/proposals": endpoint<{ proposals: ProposalWire[] }>()({
    query: z.object({
      session: text,
      status: z
        .enum(["open", "accepted", "declined"], "must be open, accepted or declined")
        .optional(),
    }),
  }),
  "POST /api/proposals": endpoint<ProposalWire>()({ body: proposeRequest, status: 201 }),
  "GET /api/proposals/:proposalId": endpoint<ProposalWire>()(),
  "POST /api/proposals/:proposalId/accept": endpoint<ProposalWire>()({
    body: acceptProposalRequest,
  }),
  "POST /api/proposals/:proposalId/decline": endpoint<ProposalWire>()(),
};

export type Routes = typeof routes;
export type RouteName = keyof Routes;

export type ParamsOf<Name extends string> = Name extends `${string}:${infer Param}/${infer Rest}`
  ? Record<Param, string> & ParamsOf<Rest>
  : Name extends `${string}:${infer Param}`
    ? Record<Param, string>
    : unknown;

export type AnswerOf<Name extends RouteName> = NonNullable<Routes[Name]["answer"]>;
