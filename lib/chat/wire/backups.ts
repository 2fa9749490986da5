export interface BackupsWire {
  place: string | null;
  everyMs: number | null;
  keep: number | null;
  runningSince: string | null;
  lastAt: string | null;
  nextAt: string | null;
  /** The last failure since the last success. */
  failure: { at: string; message: string } | null;
  problem: string | null;
  /** Newest first, at most 100. */
  backups: BackupWire[];
}

export interface BackupWire {
  name: string;
  kind: "manual" | "scheduled" | "before-upgrade" | "before-restore";
  madeAt: string;
  bytes: number;
}
