/** One version of the changelog. */
export interface ReleaseWire {
  version: string;
  /** `2026-11-23` */
  date: string;
  changes: string[];
}

/** `GET /api/about` */
export interface AboutWire {
  version: string;
  /** Newest first. */
  releases: ReleaseWire[];
  /** Grove was upgraded and the notes have not been seen. */
  isNew: boolean;
  /** Of the installation, for those who administer it; `null` while the database does not answer. */
  figures: {
    databaseBytes: number;
    /** Answers and summaries being written by this process. */
    running: number;
    lastBackupAt: string | null;
    postgres: string;
    node: string;
  } | null;
}
