import type { Sql } from "grove-session/postgres";
import {
  type BackupAttempt,
  claimBackup,
  endBackup,
  latestAttempt,
  renewBackup,
} from "@/lib/storage/backup/backup-attempts";
import { BackupError } from "@/lib/storage/backup/backup-format";
import { deleteOldBackups, type StoredBackup } from "./backup-place";
import type { BackupSettings } from "./backup-settings";
import { type BackupSource, takeBackup } from "./take-backup";

export interface BackupsOptions extends BackupSource {
  readonly sql: Sql;
  /** Read at each use, since administrators change them. */
  readonly settings: () => Promise<BackupSettings | BackupError>;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

export interface BackupsState extends Omit<BackupAttempt, "failedAt" | "failure"> {
  readonly place: string | null;
  readonly everyMs: number | null;
  readonly keep: number | null;
  readonly nextAt: Date | null;
  readonly failure: { readonly at: Date; readonly message: string } | null;
  readonly problem: string | null;
  readonly backups: StoredBackup[];
}

const leaseMs = 60_000;
const renewMs = 15_000;
const longestRetryMs = 3_600_000;

/** One process of this installation makes backups at a time. */
export class Backups {
  readonly #options: BackupsOptions;

  constructor(options: BackupsOptions) {
    this.#options = options;
  }

  async state(): Promise<BackupsState> {
    const { sql } = this.#options;
    const settings = await this.#options.settings();
    const { runningSince, succeededAt, failedAt, failure } = await latestAttempt(sql);
    const attempt = {
      runningSince,
      succeededAt,
      failure:
        failedAt && failure && !(succeededAt && succeededAt > failedAt)
          ? { at: failedAt, message: failure }
          : null,
    };
    if (settings instanceof BackupError) {
      const none = { place: null, everyMs: null, keep: null, nextAt: null, backups: [] };
      return { ...attempt, ...none, problem: settings.message };
    }
    const { place, everyMs, keep } = settings;
    const nextAt = everyMs === null ? null : nextBackupAt({ succeededAt, failedAt }, everyMs);
    const stored = await place.list().then(
      (backups) => ({ backups, problem: null }),
      (error: unknown) => ({ backups: [], problem: sentenceOf(error) }),
    );
    return { ...attempt, place: place.title, everyMs, keep, nextAt, ...stored };
  }

  async start(): Promise<boolean> {
    const settings = await this.#validSettings();
    const claim = await claimBackup(this.#options.sql, { leaseMs });
    if (claim === null) return false;
    void this.#take(settings, { claim, kind: "manual" }).catch(this.#options.onError);
    return true;
  }

  async takeDue(): Promise<void> {
    const { sql } = this.#options;
    const settings = await this.#options.settings();
    if (settings instanceof BackupError || settings.everyMs === null) return;
    const due = { everyMs: settings.everyMs, retryMs: retryMs(settings.everyMs) };
    const claim = await claimBackup(sql, { leaseMs, due });
    if (claim !== null) await this.#take(settings, { claim, kind: "scheduled" });
  }

  async #validSettings(): Promise<BackupSettings> {
    const settings = await this.#options.settings();
    if (settings instanceof BackupError) throw settings;
    return settings;
  }

  async #take(
    { place, keep }: BackupSettings,
    { claim, kind }: { claim: string; kind: "manual" | "scheduled" },
  ): Promise<void> {
    const { sql, signal, onError } = this.#options;
    const renew = () => void renewBackup(sql, claim, leaseMs).catch(onError);
    const renewal = setInterval(renew, renewMs);
    try {
      const made = await takeBackup(this.#options, { place, kind, signal });
      await endBackup(sql, claim, "succeeded");
      // Credentials that may write and not delete protect backups: that is no failure of this one.
      if (kind === "scheduled") await deleteOldBackups(place, { made, keep }).catch(onError);
    } catch (error) {
      if (!signal.aborted && !(error instanceof BackupError)) onError(error);
      await endBackup(sql, claim, signal.aborted ? "stopped" : { failure: sentenceOf(error) });
    } finally {
      clearInterval(renewal);
    }
  }
}

function retryMs(everyMs: number): number {
  return Math.min(everyMs, longestRetryMs);
}

export function nextBackupAt(
  { succeededAt, failedAt }: Pick<BackupAttempt, "succeededAt" | "failedAt">,
  everyMs: number,
): Date {
  const afterSuccess = succeededAt ? succeededAt.getTime() + everyMs : 0;
  const afterFailure = failedAt ? failedAt.getTime() + retryMs(everyMs) : 0;
  return new Date(Math.max(afterSuccess, afterFailure));
}

function sentenceOf(error: unknown): string {
  if (error instanceof BackupError) return error.message;
  return "The backup failed. Try again; the server's log says more.";
}
