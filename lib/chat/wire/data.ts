import { z } from "zod";

export interface DataCountsWire {
  sessions: number;
  messages: number;
  documents: number;
  providers: number;
  calls: number;
}

export interface DeletedDataWire extends DataCountsWire {
  /** `POST /api/data/stop` ended the deletion. */
  isStopped: boolean;
}

export interface StopDeletingWire {
  isStopping: boolean;
}

export const deleteDataRequest = z.object({
  confirm: z.literal("delete everything", { error: "must be “delete everything”" }),
});
export type DeleteDataRequest = z.input<typeof deleteDataRequest>;

export interface ImportReportWire {
  sessions: {
    imported: number;
    already: number;
    restored: number;
    failed: number;
  };
  /** Documents `left` were edited here and are kept. */
  documents: { imported: number; already: number; left: number };
  /** The first 5,000 chats: their ids in the file and here. */
  outcomes: {
    id: string;
    sessionId: string;
    outcome: "imported" | "already" | "restored" | "failed";
    message?: string;
  }[];
  problems: { line: number; field?: string; message: string }[];
  problemCount: number;
  offers: ImportOfferWire[];
  offerCount: number;
  changes: ImportChangeWire[];
}

export interface ImportOfferWire {
  /** A hash of the whole content. */
  id: string;
  kind: "section" | "text" | "entry" | "setting";
  label: string;
  title: string;
  text: string;
}

/** The first line of `POST /api/import?choices=first`: ids of accepted offers. */
export const importChoices = z.object({
  type: z.literal("import-choices"),
  accepted: z.array(z.string().length(43)).max(100_000),
});
export type ImportChoices = z.output<typeof importChoices>;

const blockId = z.string().min(1).max(200);
const label = z.string().max(1_000);

const importChange = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("section"), blockId, label }),
  z.object({
    kind: z.literal("document"),
    blockId,
    label,
    key: z.string().max(200),
    version: z.int().min(1),
    before: z
      .object({
        version: z.int().min(1),
        title: label,
        description: z.string().max(10_000).nullable(),
        content: z.string().nullable().optional(),
      })
      .nullable(),
  }),
  z.object({
    kind: z.literal("setting"),
    label,
    key: z.string().regex(/^(prompt:|override:|favorite |hidden |defaultModel$)/),
    value: z.unknown(),
  }),
]);
export type ImportChangeWire = z.output<typeof importChange>;

export const undoImportRequest = z.object({ changes: z.array(importChange).max(100_000) });

export interface UndoneImportWire {
  undone: number;
  left: string[];
}
