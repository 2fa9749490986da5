/** `GET /api/backups`. `POST` starts one; 409 `backup-running`. */
export interface BackupsWire {
  /** A folder or a bucket; `null` when the settings are invalid. */
  place: string | null;
  /** `null`: no schedule. */
  everyMs: number | null;
  /** Scheduled ones. */
  keep: number | null;
  runningSince: string | null;
  lastAt: string | null;
  nextAt: string | null;
  /** Since the last one that succeeded. */
  failure: { at: string; message: string } | null;
  /** Invalid settings, or a place that cannot be read. */
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
