import { z } from "zod";

/** `GET /api/data`: what there is, and `DELETE /api/data`: what was deleted. */
export interface DataCountsWire {
  sessions: number;
  messages: number;
  /** Blocks, knowledge and skills that hold everywhere. */
  documents: number;
  providers: number;
  /** Calls of models, as the usage page counts them. */
  calls: number;
}

/** `DELETE /api/data` → `DataCountsWire`. */
export const deleteDataRequest = z.object({
  confirm: z.literal("delete everything", { error: "must be “delete everything”" }),
});
export type DeleteDataRequest = z.input<typeof deleteDataRequest>;

/** `POST /api/import`: an export as it was downloaded, of the type `application/x-ndjson`. */
export interface ImportReportWire {
  sessions: {
    imported: number;
    /** Here already, whole. */
    already: number;
    /** Deleted here, and brought back. */
    restored: number;
    /** Left out as a whole; `problems` says why. */
    failed: number;
  };
  /** Blocks, knowledge and skills; `left` ones were changed here and stay as they are. */
  documents: { imported: number; already: number; left: number };
  /** The first 100, in the order of the file. */
  problems: { line: number; field?: string; message: string }[];
  problemCount: number;
}
