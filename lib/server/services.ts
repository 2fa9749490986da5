import "server-only";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { trace } from "@opentelemetry/api";
import type { Sql } from "postgres";
import { Accounts } from "@/lib/accounts/accounts";
import { type BackupSettings, readBackupSettings } from "@/lib/backups/backup-settings";
import { Backups } from "@/lib/backups/backups";
import { type BackupSource, backupBeforeUpgrade } from "@/lib/backups/take-backup";
import { AnswerSpool } from "@/lib/chat/answering/answer-spool";
import { leaseMs } from "@/lib/chat/answering/lease";
import type { RunRecord } from "@/lib/chat/answering/run-store";
import { type RunEvents, Runner, type RunnerOptions } from "@/lib/chat/answering/runner";
import { exampleModel } from "@/lib/chat/data/example/conversation";
import { makeExample } from "@/lib/chat/data/example/make-example";
import { isDatabaseAway } from "@/lib/chat/database-away";
import { configuredServers } from "@/lib/chat/mcp-client/configured-servers";
import type { OwnerData } from "@/lib/chat/owner-data";
import { RecentMap } from "@/lib/chat/recent-map";
import { nameSession } from "@/lib/chat/sessions/name-session";
import { runWire, summaryRunWire } from "@/lib/chat/sessions/transcript";
import { Models } from "@/lib/chat/settings/models";
import { WebTools } from "@/lib/chat/web/web-tools";
import type { EventWire } from "@/lib/chat/wire/events";
import { isTemporaryId } from "@/lib/chat/wire/temporary-id";
import { demoSource } from "@/lib/demo/demo-model";
import { connect, migrate, Notifications, SessionFeed } from "@/lib/postgres";
import { latestAttempt } from "@/lib/postgres/backup/backup-attempts";
import { BackupError } from "@/lib/postgres/backup/backup-format";
import { RunClaims } from "@/lib/postgres/internal";
import type { SessionEvent } from "@/lib/session";
import packageJson from "@/package.json" with { type: "json" };
import { type DatabaseConnections, openConnections } from "./database-connections";
import { DeviceWatch } from "./device-watch";
import { readEnvironment } from "./environment";
import { type FileBucket, readFileBucket } from "./file-bucket";
import { HttpError } from "./http-error";
import { logFailure } from "./log";
import { Metrics, type StoredFigures } from "./metrics";
import { type Identity, identityOf } from "./owner-of";
import { modelFetch, ownerFetch, ownerRights, type RightsOf } from "./owner-rights";
import { type OwnerServices, ownerOfTemporary, ownerServices } from "./owner-services";
import { PersonLimits } from "./person-limits";
import { SecretBox } from "./secret-box";
import { readSourceBlocks } from "./source-blocks";
import { type OwnedEvent, RequestOrigin, TabEvents } from "./tab-events";

export interface Services extends DatabaseConnections {
  readonly runner: Runner;
  /** On the runs of dead processes. */
  readonly claims: RunClaims;
  readonly tabs: TabEvents;
  readonly requestOrigin: RequestOrigin;
  readonly models: Models;
  readonly secrets: SecretBox;
  /** `null` without a login. */
  readonly accounts: Accounts | null;
  readonly limits: PersonLimits;
  readonly rightsOf: RightsOf;
  readonly devices: DeviceWatch;
  readonly backups: Backups;
  /** `null`: files are in the database. */
  readonly fileBucket: FileBucket | null;
  /** Time during which deleted data can be restored. */
  readonly deletedKeptMs: number;
  /** `null` without `GROVE_METRICS_TOKEN`. */
  readonly metrics: Metrics | null;
  /** `null` while the database does not answer. */
  storedFigures(): Promise<StoredFigures | null>;
  readonly installation: {
    readonly environment: NodeJS.ProcessEnv;
    readonly version: string;
    readonly databaseUrl: string;
    readonly dataDir: string;
    readonly dataLocation: string;
    /** For running answers at shutdown. */
    readonly drainMs: number;
    /** Of one uploaded file. */
    readonly maxFileBytes: number;
    readonly trustedProxies: number;
  };
  /** Aborted on shutdown, so that open streams do not delay it. */
  readonly closing: AbortController;
  /** Migrates the database. Tried again after a failure. */
  ready(): Promise<void>;
  /** As `ready`, but gives up after some seconds. @throws {HttpError} 503 */
  readySoon(): Promise<void>;
  /** Needs no database without accounts. `null` for nobody who is known. */
  identify(headers: Pick<Headers, "get">): Promise<Identity | null>;
  /** Waits until the database is migrated and the owner has the example session. */
  ownerOf(identity: Identity): Promise<OwnerServices>;
  owner(ownerId: string): OwnerServices;
  /** Also of temporary sessions, whose owner id is their own. */
  dataOf(ownerId: string): OwnerData;
  ownerIds(): Iterable<string>;
}

const runTopic = "runs";
/** In memory; the least recently used are made again when they return. */
const mostOwners = 500;
const requestWaitMs = 8_000;
const checkEveryMs = 10_000;

// Connections must survive the module reloads of development.
const shared = globalThis as typeof globalThis & { groveServices?: Services };

export function services(): Services {
  shared.groveServices ??= makeServices();
  return shared.groveServices;
}

function makeServices(): Services {
  const environment = readEnvironment(process.env);
  const {
    databaseUrl: pooledUrl,
    directUrl,
    dataDir,
    secretsKeyFile,
    dataLocation,
    drainMs,
    deletedKeptMs,
    hasTestOwners,
  } = environment;
  const spool = new AnswerSpool(environment.spoolDir, (error) =>
    logFailure("Keeping an answer that the database cannot take", error),
  );
  const { sql, chunkSql } = openConnections(pooledUrl, directUrl);
  // Migrations, backups and imports need sessions.
  const databaseUrl = directUrl ?? pooledUrl;
  const tabs = new TabEvents();
  const requestOrigin = new RequestOrigin();
  const secrets = new SecretBox(secretsKeyFile);
  const accounts = environment.accounts
    ? new Accounts({
        ...environment.accounts,
        sql,
        secret: () => secrets.derive("accounts"),
        onFailure: logFailure,
      })
    : null;
  const toolPrograms = configuredServers(process.env.GROVE_MCP_CONFIG, (error) =>
    logFailure("Reading the tools of a configured server", error),
  );
  const rightsOf = ownerRights(accounts, { environment: process.env, toolServers: toolPrograms });
  const fetchOf = ownerFetch(rightsOf);
  const models = new Models({
    environment: async (ownerId) => (await rightsOf(ownerId)).environment,
    fetchOf: (ownerId) => modelFetch(fetchOf(ownerId)),
    sealer: secrets,
    fallback: demoSource(process.env),
  });
  const notifications = new Notifications(sql, {
    onError: (error) => logFailure("Notifying the other processes", error),
  });
  const feed = new SessionFeed(notifications, {
    origin: () => requestOrigin.tab,
    onEvent: (event) => {
      if (changesSettings(event)) {
        models.forget(event.ownerId);
        owners.get(event.ownerId)?.tools.forget();
      }
      tabs.receive(event);
    },
    onListenerError: (error) => logFailure("Listening to a session", error),
  });
  const sourceBlocks = readSourceBlocks(process.env);
  const fileBucket = readFileBucket(process.env);
  const fileSettings = {
    folder: join(dataDir, "uploads"),
    limits: { maxBytes: environment.maxFileBytes },
    place: fileBucket ?? undefined,
  };
  const owners = new RecentMap<string, OwnerServices>({ most: mostOwners });
  const owner = (ownerId: string) => {
    const known =
      owners.get(ownerId) ??
      ownerServices({
        sql,
        chunkSql,
        ownerId,
        events: feed.of(ownerId),
        sourceBlocks,
        fileSettings,
        toolSources: ({ settings }) => [new WebTools(settings, { fetch: fetchOf(ownerId) })],
        sealer: secrets,
        configuredServers: async () => (await rightsOf(ownerId)).toolServers,
        fetch: fetchOf(ownerId),
      });
    owners.set(ownerId, known);
    return known;
  };
  const closing = new AbortController();
  const source = { databaseUrl, root: process.cwd(), groveVersion: packageJson.version };
  const metrics =
    environment.metricsToken === null
      ? null
      : new Metrics({
          token: environment.metricsToken,
          version: packageJson.version,
          running: () => runner.live.count,
          openTabs: () => tabs.count,
          stored: () => storedFigures(sql),
        });
  const ready = onceUntilFailure(() => prepare({ sql, source, dataDir, notifications }));
  const firstUse = makeFirstExamples(models);
  const limits = new PersonLimits(accounts);
  const runner = makeRunner({
    assertMayAsk: (ownerId) => limits.assertMayAsk(ownerId),
    owner,
    models,
    tabs,
    notifications,
    countEnd: (kind, status) => metrics?.countEnd(kind, status),
    spool,
    maxCharacters: environment.maxAnswerCharacters,
    maxRunning: environment.maxRunningAnswers,
  });
  return {
    sql,
    chunkSql,
    claims: new RunClaims(sql, { leaseMs }),
    runner,
    metrics,
    storedFigures: () => storedFigures(sql),
    tabs,
    requestOrigin,
    closing,
    backups: new Backups({
      ...source,
      sql,
      settings: backupSettings(dataDir),
      signal: closing.signal,
      onError: (error) => logFailure("Backing up", error),
    }),
    models,
    fileBucket,
    secrets,
    deletedKeptMs,
    installation: {
      environment: process.env,
      version: packageJson.version,
      databaseUrl,
      dataDir: environment.dataDir,
      dataLocation,
      drainMs,
      maxFileBytes: environment.maxFileBytes,
      trustedProxies: environment.trustedProxies,
    },
    accounts,
    limits,
    rightsOf,
    devices: new DeviceWatch(),
    ready,
    readySoon: () => soon(ready()),
    async identify(headers) {
      if (accounts) await soon(ready());
      return identityOf(headers, { accounts, hasTestOwners });
    },
    async ownerOf({ ownerId }) {
      await soon(ready());
      const used = owner(ownerId);
      await firstUse(used);
      return used;
    },
    owner,
    dataOf: (ownerId) => {
      const ofTemporary = ownerOfTemporary(ownerId);
      return ofTemporary === null ? owner(ownerId) : owner(ofTemporary).temporary;
    },
    ownerIds: () => owners.keys(),
  };
}

async function storedFigures(sql: Sql): Promise<StoredFigures | null> {
  try {
    const [row] = await sql<[{ bytes: number; postgres: string }]>`
      select pg_database_size(current_database()) as bytes,
        split_part(current_setting('server_version'), ' ', 1) as postgres`;
    const { succeededAt } = await latestAttempt(sql);
    return { databaseBytes: row.bytes, postgres: row.postgres, lastBackupAt: succeededAt };
  } catch (error) {
    logFailure("Reading figures of the database", error);
    return null;
  }
}

/** Requests do not wait for a long migration. */
async function soon(ready: Promise<void>): Promise<void> {
  const given = new AbortController();
  const late = delay(requestWaitMs, "late", { signal: given.signal }).catch(() => "given");
  const end = await Promise.race([ready, late]).finally(() => given.abort());
  if (end === "late")
    throw new HttpError(503, "database", "Grove is preparing its database. Try again in a moment.");
}

/** Publishes its own events, because tabs show more than the store holds. */
function makeRunner({
  owner,
  models,
  tabs,
  notifications,
  countEnd,
  ...options
}: Pick<Services, "owner" | "models" | "tabs"> & {
  notifications: Notifications;
  countEnd: Metrics["countEnd"];
} & RunnerOptions): Runner {
  notifications.on(runTopic, (body) => tabs.publish(body as OwnedEvent));
  const publish = (data: OwnerData, event: EventWire) => {
    const ownerId = tabOwnerOf(data.ownerId, "sessionId" in event ? event.sessionId : null);
    tabs.publish({ ownerId, event });
    notifications.send(runTopic, { ownerId, event } satisfies OwnedEvent);
  };
  const name = (ownerId: string, run: RunRecord) =>
    nameSession({ owner: owner(ownerId), models, run }).catch((error: unknown) =>
      logFailure("Naming a session", error),
    );
  const events: RunEvents = {
    started: (data, run) =>
      publish(data, { type: "run-started", sessionId: run.sessionId, run: runWire(run) }),
    finished: async (data, run, status) => {
      const { id: runId, sessionId, messageId } = run;
      countEnd("answer", status);
      traceRun(run, status);
      publish(data, { type: "run-finished", sessionId, runId, messageId, status });
      if (ownerOfTemporary(data.ownerId) !== null) return;
      await name(data.ownerId, run);
    },
    read: (data, sessionId) => publish(data, { type: "session-read", sessionId }),
    summaryStarted: (data, run) => publish(data, summaryEvent("summary-started", run)),
    summaryFinished: (data, run) => {
      countEnd("summary", run.status);
      traceRun(run, run.status);
      publish(data, summaryEvent("summary-finished", run));
    },
    summaryDismissed: (data, { sessionId }) =>
      publish(data, { type: "session-changed", sessionId }),
    failed: (error) => logFailure("Writing an answer or a summary", error),
  };
  return new Runner(events, options);
}

/** Does nothing unless traces are collected. */
function traceRun({ kind, model, startedAt }: RunRecord, status: string): void {
  const attributes = { "grove.model": model, "grove.status": status };
  trace.getTracer("grove").startSpan(kind, { startTime: startedAt, attributes }).end();
}

/** The owner whose tabs show the session: they show temporary chats, not the temporary sessions of programs. */
function tabOwnerOf(ownerId: string, sessionId: string | null): string {
  const isShown = sessionId !== null && isTemporaryId(sessionId);
  return (isShown ? ownerOfTemporary(ownerId) : null) ?? ownerId;
}

function summaryEvent(type: "summary-started" | "summary-finished", run: RunRecord): EventWire {
  return { type, sessionId: run.sessionId, summary: summaryRunWire(run) };
}

/** Tries again after a failure. */
function onceUntilFailure(act: () => Promise<void>): () => Promise<void> {
  let begun: Promise<void> | null = null;
  return () => {
    begun ??= act().catch((error: unknown) => {
      begun = null;
      throw error;
    });
    return begun;
  };
}

/** Logs a failure, unless the database is away, and tries again at the owner's next use. */
function makeFirstExamples(models: Models): (owner: OwnerServices) => Promise<void> {
  const uses = new RecentMap<string, () => Promise<void>>({ most: mostOwners });
  return async (owner) => {
    const use = uses.get(owner.ownerId) ?? onceUntilFailure(() => makeFirstExample(owner, models));
    uses.set(owner.ownerId, use);
    await use().catch((error: unknown) => {
      if (isDatabaseAway(error)) throw error;
      logFailure("Making the example session", error);
    });
  };
}

async function makeFirstExample(owner: OwnerServices, models: Models): Promise<void> {
  const settings = await owner.settings.read();
  if (settings.exampleMade === true) return;
  const { info } = await models.choose(owner, exampleModel);
  await makeExample(owner, info);
  // Release notes are for people who knew the version before.
  await owner.settings.change({ exampleMade: true, seenVersion: packageJson.version });
}

function changesSettings({ type }: SessionEvent): boolean {
  return type === "settings" || type === "data" || type === "missed";
}

async function prepare({
  sql,
  source,
  dataDir,
  notifications,
}: {
  sql: Sql;
  source: BackupSource;
  dataDir: string;
  notifications: Notifications;
}): Promise<void> {
  const { databaseUrl, root } = source;
  // Separate connections, because migrating may take long; one to a database that fell silent would wait for ever.
  const migrating = connect(databaseUrl, { max: 3, connect_timeout: 5 });
  const isSilent = (error: unknown) => (error as { code?: unknown }).code === "DATABASE_SILENT";
  const check = setInterval(() => {
    sql`select 1`.catch((error: unknown) => {
      if (isSilent(error)) void migrating.end({ timeout: 0 });
    });
  }, checkEveryMs);
  const beforeUpgrade = backupBeforeUpgrade(source, { environment: process.env, dataDir });
  await migrate(migrating, { root, beforeUpgrade }).finally(() => {
    clearInterval(check);
    return migrating.end({ timeout: 1 });
  });
  await notifications.start();
}

/** Shown where backups are, rather than a server that does not start. */
function backupSettings(dataDir: string): BackupSettings | BackupError {
  try {
    return readBackupSettings(process.env, { dataDir });
  } catch (error) {
    if (error instanceof BackupError) return error;
    throw error;
  }
}
