import { z } from "zod";

/** `GET /api/data`: current counts. `DELETE /api/data`: deleted counts. */
export interface DataCountsWire {
  sessions: number;
  messages: number;
  /** Blocks, knowledge and skills of every session. */
  documents: number;
  providers: number;
  /** Model calls, as on the usage page. */
  calls: number;
}

/** `DELETE /api/data` → `DataCountsWire`. */
export const deleteDataRequest = z.object({
  confirm: z.literal("delete everything", { error: "must be “delete everything”" }),
});
export type DeleteDataRequest = z.input<typeof deleteDataRequest>;

/** `POST /api/import`: an export of type `application/x-ndjson`. */
export interface ImportReportWire {
  sessions: {
    imported: number;
    /** Already here in full. */
    already: number;
    /** Deleted here, now restored. */
    restored: number;
    /** Skipped; `problems` says why. */
    failed: number;
  };
  /** Blocks, knowledge and skills; `left` ones were edited here and are kept. */
  documents: { imported: number; already: number; left: number };
  /** The first 100, in file order. */
  problems: { line: number; field?: string; message: string }[];
  problemCount: number;
}
